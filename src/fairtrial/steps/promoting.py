"""A failure into a draft of a case: the trial found, the draft made, put before the suite's own check, and written once.

Nothing that exists is written over, and nothing is written that does not load. Kept out: what the draft says
(`cases/drafts.py`, `pinning.py`).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.drafts import COVERED, TODO, Origin, covered, draft_id, draft_of, finished, told_grade
from fairtrial.cases.lint import lint
from fairtrial.cases.load import case_from_raw
from fairtrial.cases.rows import shown
from fairtrial.cases.suite import load_suite, tightened
from fairtrial.cases.yamltext import yaml_text
from fairtrial.records.errors import FairtrialError, InputError
from fairtrial.records.finding import Finding
from fairtrial.records.moment import moment
from fairtrial.records.promotion import Promotion
from fairtrial.records.text import dumps, file_name, write_new
from fairtrial.records.verdict import Verdict
from fairtrial.steps import looks
from fairtrial.steps.checking import KnownAnswers
from fairtrial.steps.known import known_secrets
from fairtrial.steps.pinning import Pins, pin, undecided
from fairtrial.steps.reading import find_trial, read_table, stored_case
from fairtrial.store.redact import Redactor
from fairtrial.study.codes import FAIL
from fairtrial.study.wording import count, listed

if TYPE_CHECKING:
    from fairtrial.records.case import Case
    from fairtrial.records.grade import Grade, Scorecard
    from fairtrial.records.run import Run
    from fairtrial.records.suite import Suite
    from fairtrial.records.trial import Trial
    from fairtrial.store.sql import Store

FOLDER = "promoted"
"""In the suite's folder, where no file is named."""
SUFFIXES = (".yaml", ".yml", ".json")


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What `promote` was asked: the trial, and where the draft is to go. `into` is a file that does not exist yet."""

    reference: str
    case: str
    attempt: int
    library: str = "regression"
    into: str | None = None
    ident: str | None = None
    dry_run: bool = False


def promote(store: Store, asked: Asked) -> Promotion:
    """Raises InputError for a trial that passed here, an id that is taken, or a file that is there already."""
    run, trial, card = find_trial(store, asked.reference, asked.case, asked.attempt)
    verdict = _verdict(trial, card)
    _refuse_passed(store, run, trial, verdict)
    suite = _suite(run)
    ident, file = _names(asked, run, trial, suite)
    held_out = looks.note(store, run, asked.case, "promote", (trial.head.key.setup, asked.attempt))
    draft, pins, todo = _draft(store, run, (trial, card), (suite, verdict, ident, asked.library))
    case = case_from_raw(draft, ident, f"{shown(file)}:1")
    text = _text(draft, file)
    findings = [] if suite is None else _findings(suite, case)
    if not asked.dry_run:
        _write(file, text)
    made = Promotion(
        run=run.id, case=asked.case, setup=trial.head.key.setup, attempt=asked.attempt, verdict=verdict, id=ident, library=asked.library,
        file=shown(file), written=not asked.dry_run, included=_included(run, ident, suite, asked), suite=suite.path if suite else "",
        pinned=pins.told, todo=[line.removeprefix(TODO) for line in todo], findings=findings, held_out=held_out, draft=draft, says="",
    )  # fmt: skip
    made.says = _says(made)
    return made


def _verdict(trial: Trial, card: Scorecard | None) -> str:
    return card.verdict.value if card else (trial.head.imported or Verdict.UNKNOWN).value


def _refuse_passed(store: Store, run: Run, trial: Trial, verdict: str) -> None:
    """A trial that passed here is no failure; one from elsewhere may become a case whatever it came to."""
    if verdict != Verdict.PASS or run.manifest.origin != "run":
        return
    lane = read_table(store, run.id, details=False).lane(trial.head.key.setup)
    failed = [str(n) for n, code in enumerate(lane.attempts(lane.rows[trial.head.key.case]), 1) if code == FAIL]
    mend = f"name one that failed: {listed(failed)}" if failed else "no attempt of this case failed in this setup; name another case"
    raise InputError("this trial passed, so there is no failure to make a case of", value=trial.head.key.attempt, mend=mend)


def _suite(run: Run) -> Suite | None:
    """The suite as it is now; None where it is not there, or cannot be loaded, for then nothing can be said of it."""
    path = run.manifest.suite_path
    if not path or not os.path.exists(path):
        return None
    try:
        return load_suite(path)
    except FairtrialError:
        return None


def _names(asked: Asked, run: Run, trial: Trial, suite: Suite | None) -> tuple[str, str]:
    """The draft's id, and its file. Raises InputError where either is taken."""
    taken = {case.id for case in suite.cases} if suite else set()
    ident = asked.ident or draft_id(_origin(run, trial, ""), ())
    folder = suite.folder if suite else os.path.dirname(run.manifest.suite_path) if os.path.isfile(run.manifest.suite_path) else "."
    named = ident if ident == file_name(ident).rpartition("-")[0] else file_name(ident)
    file = asked.into or os.path.join(folder, FOLDER, f"{named}.yaml")
    if os.path.lexists(file):
        what = "there is a file already" if asked.into or asked.ident else "this trial was promoted already"
        raise InputError(what, place=shown(file), mend="look at it, or name another file: --into FILE, and another id: --id ID")
    if ident in taken:
        raise InputError("the suite has a case of this id", value=ident, mend="name another one: --id ID")
    if not file.lower().endswith(SUFFIXES):
        raise InputError("a draft is one YAML or JSON file", place=file, allowed=", ".join(SUFFIXES), mend="name a file that ends so")
    return ident, file


def _origin(run: Run, trial: Trial, verdict: str) -> Origin:
    key, manifest = trial.head.key, run.manifest
    return Origin(
        run=run.id, suite=manifest.suite, version=manifest.suite_version, case=key.case, setup=key.setup, attempt=key.attempt,
        at=moment(trial.head.started_ns or run.started_ns), harness=manifest.harness, ending=trial.head.ending.value, verdict=verdict,
        imported=manifest.origin != "run",
    )  # fmt: skip


def _draft(
    store: Store, run: Run, found: tuple[Trial, Scorecard | None], about: tuple[Suite | None, str, str, str]
) -> tuple[dict[str, Any], Pins, list[str]]:
    (trial, card), (suite, verdict, ident, library) = found, about
    known = stored_case(store, run, trial.head.key.case)
    raw, todo = draft_of(store.case_raw(run.id).get(trial.head.key.case), trial)
    pins = pin(trial, card, known, suite)
    todo += [*pins.todo, *(f"{TODO}say what decides it; {told_grade(grade)}" for grade in undecided(card))]
    if (twin := _twin(run, trial, suite)) is not None:
        todo.append(f"{TODO}make it differ from {twin}, which asks the same, or take the place of that case")
    raw |= {"must_not": [*raw.get("must_not", []), *(one for one in pins.checks if one not in raw.get("must_not", []))]}
    raw |= {"known_bad": [*raw.get("known_bad", []), *(bad for bad in pins.bad if bad not in raw.get("known_bad", []))]}
    if any(COVERED in str(text) for text in raw.get("secrets", ())):
        raw["secrets"] = [text for text in raw["secrets"] if COVERED not in str(text)]
        todo.append(f"{TODO}state made-up secrets under secrets:, for the real ones were covered")
    kept = {name: value for name, value in raw.items() if value != [] or name not in ("must_not", "known_bad", "secrets")}
    redactor = Redactor(known_secrets(suite, suite.cases) if suite else ())
    kept = redactor.redact(kept)
    todo += covered(kept)
    told = [told_grade(grade) for grade in _failed(card)]
    return redactor.redact(finished(kept, _origin(run, trial, verdict), ident, library, [*told, *todo])), pins, todo


def _twin(run: Run, trial: Trial, suite: Suite | None) -> str | None:
    """The case of the suite as it is now that asks what the trial was asked."""
    asked = next((info.brief_hash for info in run.manifest.cases if info.id == trial.head.key.case), "")
    return next((case.id for case in (suite.cases if suite else ()) if case.brief_hash == asked), None)


def _failed(card: Scorecard | None) -> list[Grade]:
    return [grade for grade in (card.grades if card else ()) if grade.verdict is Verdict.FAIL]


def _text(draft: dict[str, Any], file: str) -> str:
    if file.lower().endswith(".json"):
        return dumps(draft) + "\n"
    return yaml_text(draft, "A draft made of a failure: what is left to do stands under notes.")


def _findings(suite: Suite, case: Case) -> list[Finding]:
    """What the suite's check of itself says of the draft, as if it were in the suite already."""
    case = tightened(case, suite.budget)
    whole = msgspec.structs.replace(suite, cases=(*suite.cases, case))
    try:
        dynamic = KnownAnswers(whole).findings(case)
    except FairtrialError as error:
        dynamic = [Finding(code="cannot_open", message=error.what, mend=error.mend or "mend what it names", case=case.id)]
    return [finding for finding in (*lint(whole), *dynamic) if finding.case == case.id]


def _write(file: str, text: str) -> None:
    """A new file, whole or not at all, however this ends; one that came to be meanwhile is left alone."""
    try:
        os.makedirs(os.path.dirname(os.path.abspath(file)), exist_ok=True)
        write_new(file, text)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", place=shown(file), mend="name another file: --into FILE") from None


def _included(run: Run, ident: str, suite: Suite | None, asked: Asked) -> bool | None:
    """Whether the suite, loaded anew, has the draft among its cases."""
    if suite is None or asked.dry_run:
        return None
    now = _suite(run)
    return now is not None and any(case.id == ident for case in now.cases)


def _says(made: Promotion) -> str:
    done = f"{'Written' if made.written else 'Would be written'} to {made.file} as {made.id} ({made.library})"
    left = f"{count(len(made.todo), 'thing')} left to do" if made.todo else "nothing left to do"
    opened = f"; {made.case} is held out and no longer unseen" if made.held_out else ""
    return f"{done}; {left}{opened}."
