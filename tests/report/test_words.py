"""Two languages: every phrase stands in both, every key that is used exists, and no phrase is left unused."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

import fairtrial
from fairtrial.records.errors import InputError
from fairtrial.records.failure import CAUSE_BY_KIND, FIX_BY_CARD, FIX_BY_KIND, FIX_COMMAND, FIX_OBEYED, FIX_TWICE, FIX_UNASKED, FailureKind
from fairtrial.records.grade import CARDS, SEVERITIES
from fairtrial.records.remark import HOW, REMARKS
from fairtrial.records.trace import KINDS
from fairtrial.records.trial import Ending
from fairtrial.report.mends import MENDS
from fairtrial.report.phrases_diagnose import CAUSES
from fairtrial.report.words import PHRASES, TABLES, Words, language

SOURCES = [path for room in ("report", "cli") for path in sorted((Path(fairtrial.__file__).parent / room).glob("*.py"))]
SAME_IN_BOTH = {"col.p", "col.p50", "col.p95", "col.pass_at", "col.pass_hat", "field.p_value", "field.pass_at", "field.pass_hat"}
CHINESE = re.compile("[\u4e00-\u9fff]")


def _places(phrase: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name}


def _keys_in(path: Path) -> tuple[set[str], set[str]]:
    """(keys, patterns of keys) that a file asks its words for."""
    keys: set[str] = set()
    patterns: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in PHRASES:
            keys.add(node.value)
        called = isinstance(node, ast.Call) and ast.unparse(node.func).removesuffix(".known").split(".")[-1] in {"words", "_words"}
        if isinstance(node, ast.Call) and called and node.args:
            asked = node.args[0]
            if isinstance(asked, ast.Constant):
                keys.add(str(asked.value))
            elif isinstance(asked, ast.JoinedStr):
                pieces = (re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in asked.values)
                patterns.add("".join(pieces))
    return keys, patterns


def test_no_phrase_is_untranslated() -> None:
    same = {key for key, (english, chinese) in PHRASES.items() if english == chinese}
    assert same == SAME_IN_BOTH
    assert [key for key, (_, chinese) in PHRASES.items() if key not in same and not CHINESE.search(chinese)] == []
    assert [key for key, (english, _) in PHRASES.items() if CHINESE.search(english)] == []


def test_both_languages_have_the_same_places_to_fill() -> None:
    assert [key for key, (english, chinese) in PHRASES.items() if _places(english) != _places(chinese)] == []


def test_no_phrase_stands_in_two_tables() -> None:
    assert len(PHRASES) == sum(map(len, TABLES))


def test_every_key_that_is_asked_for_exists() -> None:
    missing = {key: path.name for path in SOURCES for key in _keys_in(path)[0] if key not in PHRASES}
    assert missing == {}


def test_every_kind_of_key_that_is_asked_for_has_phrases() -> None:
    patterns = {pattern for path in SOURCES for pattern in _keys_in(path)[1]}
    assert [pattern for pattern in patterns if not any(re.fullmatch(pattern, key) for key in PHRASES)] == []


def test_no_phrase_is_left_over() -> None:
    keys = {key for path in SOURCES for key in _keys_in(path)[0]}
    patterns = [re.compile(pattern) for path in SOURCES for pattern in _keys_in(path)[1]]
    spare = [key.removesuffix(".one") for key in PHRASES]
    assert [key for key in spare if key not in keys and not any(pattern.fullmatch(key) for pattern in patterns)] == []


def test_every_ending_card_severity_and_kind_of_span_has_its_phrase() -> None:
    asked = [*(f"ending.{one}" for one in Ending), *(f"card.{one}" for one in CARDS), *(f"severity.{one}" for one in SEVERITIES)]
    asked += [*(f"remark.{name}" for name in (*REMARKS, "untold")), *(f"how.{how}" for how in HOW)]
    assert [key for key in [*asked, *(f"kind.{one}" for one in KINDS)] if key not in PHRASES] == []


def test_every_standing_mend_is_translated() -> None:
    standing = {FIX_COMMAND, FIX_OBEYED, FIX_TWICE, FIX_UNASKED, *FIX_BY_CARD.values(), *(FIX_BY_KIND[kind] for kind in FailureKind)}
    standing |= {named.fix for named in REMARKS.values()}
    assert set(MENDS) == standing
    assert all(CHINESE.search(text) for text in MENDS.values())


def test_every_kind_of_failure_has_a_name_and_a_cause_in_both() -> None:
    assert [kind for kind in FailureKind if f"kind_of.{kind}" not in PHRASES] == []
    assert list(CAUSE_BY_KIND) == list(FailureKind)
    assert set(CAUSES) == set(CAUSE_BY_KIND.values())


def test_text_that_is_not_ours_stays_as_it_is_in_chinese() -> None:
    assert Words("zh").mend("ask the finance role") == "ask the finance role"
    assert Words("zh").known("ending.never_heard_of", "never_heard_of") == "never_heard_of"


def test_values_with_braces_are_filled_in_and_not_read_as_places() -> None:
    assert "{0} {x}" in Words("en")("suite.version", version="{0} {x}")


def test_one_is_told_from_many_in_english() -> None:
    assert Words("en")("pairs", n="1") == "1 paired case"
    assert Words("en")("pairs", n="2") == "2 paired cases"


def test_the_language_comes_from_the_option_then_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRTRIAL_LANG", raising=False)
    assert language() == "en"
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    assert language() == "zh"
    assert language("en") == "en"
    monkeypatch.setenv("FAIRTRIAL_LANG", "fr")
    with pytest.raises(InputError, match="FAIRTRIAL_LANG"):
        language()
