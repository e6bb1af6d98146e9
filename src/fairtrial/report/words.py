"""Every fixed phrase that people read, in English and Chinese.

A phrase is known by a short key and looked up in the `phrases_*` tables. The sentences of the reading and the standing mends
are looked up by their English text, in `echoes.py`, `findings.py` and `mends.py`. A key without a phrase, or a phrase in one language only,
is an error and a failing test. Kept out: what agents and case files say; that is shown as it stands.
"""

from __future__ import annotations

import os

from fairtrial.records.errors import InputError
from fairtrial.report.echoes import echo
from fairtrial.report.findings import finding
from fairtrial.report.mends import MENDS
from fairtrial.report.phrases_compare import COMPARE
from fairtrial.report.phrases_corrected import CORRECTED
from fairtrial.report.phrases_credit import CREDIT
from fairtrial.report.phrases_diagnose import DIAGNOSE
from fairtrial.report.phrases_exam import EXAM
from fairtrial.report.phrases_gate import GATE
from fairtrial.report.phrases_health import HEALTH
from fairtrial.report.phrases_judging import JUDGING
from fairtrial.report.phrases_lift import LIFT
from fairtrial.report.phrases_living import LIVING
from fairtrial.report.phrases_more import MORE
from fairtrial.report.phrases_mutants import MUTANTS
from fairtrial.report.phrases_pairs import PAIRS
from fairtrial.report.phrases_plan import PLAN
from fairtrial.report.phrases_review import REVIEW
from fairtrial.report.phrases_run import RUN
from fairtrial.report.phrases_trend import TREND
from fairtrial.report.phrases_trial import TRIAL
from fairtrial.report.phrases_until import UNTIL
from fairtrial.report.phrases_use import USE

LANGUAGES = ("en", "zh")
TABLES = (
    USE,
    RUN,
    TRIAL,
    MORE,
    DIAGNOSE,
    LIFT,
    LIVING,
    TREND,
    UNTIL,
    GATE,
    PLAN,
    COMPARE,
    CREDIT,
    CORRECTED,
    HEALTH,
    EXAM,
    JUDGING,
    REVIEW,
    MUTANTS,
    PAIRS,
)
PHRASES = {key: phrase for table in TABLES for key, phrase in table.items()}


class Words:
    """The phrases of one language: `words("cards.title")`, `words("more", n=3)`."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._place = LANGUAGES.index(language)

    def __call__(self, key: str, **values: object) -> str:
        """The phrase for a key; `values` fill its places. English tells one from many by `key.one`, where that exists."""
        if values.get("n") in (1, "1") and f"{key}.one" in PHRASES:
            key = f"{key}.one"
        return PHRASES[key][self._place].format_map(values)

    def known(self, key: str, otherwise: str) -> str:
        """The phrase for a key that comes from data (a status, a kind), or the data itself where there is none."""
        return PHRASES[key][self._place] if key in PHRASES else otherwise

    def echo(self, sentence: str) -> str:
        """A sentence of the reading (a reason, a note, a verdict), in this language as far as it is known."""
        return sentence if self.language == "en" else echo(sentence)

    def finding(self, text: str) -> str:
        """What `check` found, or how to mend it, in this language as far as it is known."""
        return text if self.language == "en" else finding(text)

    def mend(self, text: str) -> str:
        """One of the standing directions to mend, in this language; any other text as it is."""
        return text if self.language == "en" else MENDS.get(text, text)


def language(chosen: str | None = None) -> str:
    """What was chosen, else FAIRTRIAL_LANG, else English. Raises InputError for a language that is not there."""
    named = chosen or os.environ.get("FAIRTRIAL_LANG") or "en"
    if named not in LANGUAGES:
        place = "--lang" if chosen else "FAIRTRIAL_LANG"
        raise InputError(f"no phrases in {named!r}", place=place, value=named, allowed=", ".join(LANGUAGES))
    return named
