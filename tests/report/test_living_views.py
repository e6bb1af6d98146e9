"""The pages of held-out cases and of the two libraries, in both languages."""

import re
from typing import Any

import pytest

from fairtrial.records.finding import Finding
from fairtrial.records.ledger import Look
from fairtrial.records.library import LibraryReport, Rules, Standing
from fairtrial.records.promotion import Promotion
from fairtrial.report.library_view import library_sheet
from fairtrial.report.promote_view import promote_sheet
from fairtrial.report.run_view import run_sheet
from fairtrial.report.words import Words
from fairtrial.study.batches import Asked, read_batch
from fairtrial.study.heldout import read_held_out
from fairtrial.study.library import Subject, judge
from fairtrial.study.report import read_run
from tests.report.conftest import Draw
from tests.study.tables import info, one

ENGLISH = re.compile(r"[a-z]{4,}")
NAMES = {"fairtrial", "library", "apply", "capability", "regression", "shop", "solo", "down", "kept"}


def standing(case: str, *letters: str, **more: str) -> Standing:
    asked = Asked(case=case, hash=f"sha256:{case}", setup="solo")
    batches = [batch for text in letters if (batch := read_batch(one({case: text}), asked, case, 0)) is not None]
    fields = {"library": "capability", "split": "open", **more}
    return judge(Subject(case=case, setup="solo", fresh=len(batches), **fields), batches, Rules())  # type: ignore[arg-type]


def report(**more: object) -> LibraryReport:
    cases = [
        standing("up", *["PPPP"] * 5),
        standing("down", "PFFF", library="regression"),
        standing("odd", "PF", "PU", "PF"),
        standing("kept", "PP", split="held_out"),
    ]
    fields = {"suite": "shop", "version": "v", "setup": "solo", "rules": Rules(), "runs": 5, "cases": cases, "applied": False, **more}
    return LibraryReport(says="", **fields)  # type: ignore[arg-type]


def test_the_page_of_a_library_tells_where_each_case_stands_and_what_moves(text_of: Draw) -> None:
    page = text_of(library_sheet(report(), "shop dir", Words()))
    assert "up  capability → regression  the last 5 batches each above 4.0: 5, 5, 5, 5, 5" in page
    assert "down  regression → capability  the last decided batch below 4.0: 2" in page
    assert "3.00 3.00…5.00 3.00" in page
    assert "a label and advice: every gate counts them all the same" in page
    assert page.rstrip().endswith("fairtrial library 'shop dir' --apply")


def test_an_applied_page_names_the_files_the_refusals_and_the_looks(text_of: Draw) -> None:
    log = [{"at": "2026", "who": "ada", "case": "up", "move": "graduated", "why": "the last 5 batches each above 4.0: 5"}]
    looks = [{"at": "2026", "who": "ada", "verb": "show", "case": "kept", "run": "r1", "setup": "solo", "attempt": 2}]
    refused = [{"case": "down", "why": "the label was not written", "mend": "write it by hand"}]
    page = text_of(library_sheet(report(applied=True, written=["c.yaml"], moved=log, ledger=looks, refused=refused), ".", Words()))
    for told in ("written c.yaml", "write it by hand", "ada  up  graduated", "r1:solo 2"):
        assert told in page
    assert "nobody has opened one" in text_of(library_sheet(report(ledger=[]), ".", Words()))


def test_the_chinese_page_of_a_library_leaves_no_sentence_in_english(text_of: Draw) -> None:
    page = text_of(library_sheet(report(ledger=[]), ".", Words("zh")))
    assert [word for word in ENGLISH.findall(page) if word not in NAMES] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_of_a_run_tells_who_opened_what_and_sends_nobody_to_a_held_out_case(language: str, text_of: Draw) -> None:
    table = one({"a": "P", "h1": "F", "h2": "P"}, infos={name: info(name, split="held_out") for name in ("h1", "h2")})
    found = read_run(table)
    look = Look(at_ns=0, who="ada", verb="replay", suite="s", case="h1", hash="", brief_hash="", run="r0")
    found.held_out = read_held_out(table, [look], 1)
    page = text_of(run_sheet(found, Words(language)))
    assert "1970-01-01T00:00:00Z" in page
    assert "fairtrial show r1 CASE" in page
    assert "output ok" not in page
    assert "fairtrial replay" not in page


def promotion(**more: Any) -> Promotion:
    fields = {
        "run": "r1", "case": "c d", "setup": "team", "attempt": 2, "verdict": "FAIL", "id": "c-1", "library": "regression",
        "file": "promoted/c-1.yaml", "written": True, "included": False, "suite": "/s/suite.yaml", "held_out": True, "says": "",
        "pinned": ["mail must not be called"], "todo": ["write the task; the trace holds no word of a user"],
        "findings": [Finding(code="unfinished", message="a draft: x", mend="do it")], "draft": {"id": "c-1"}, **more,
    }  # fmt: skip
    return Promotion(**fields)


def test_the_page_of_a_promotion_leads_to_the_fix_loop(text_of: Draw) -> None:
    page = text_of(promote_sheet(promotion(), "r1:team", Words()))
    for told in ("c-1  written to promoted/c-1.yaml  regression", "no longer unseen", "mail must not be called", "a draft: x [unfinished]"):
        assert told in page
    assert "add to its cases:" in page
    assert page.rstrip().endswith("fairtrial retest r1:team 'c d'")
    alone = text_of(promote_sheet(promotion(suite="", included=None, written=False), "r1", Words()))
    assert '{"id":"c-1"}' in alone
    assert alone.rstrip().endswith("fairtrial init my-suite")


def test_the_page_of_a_promotion_is_told_in_chinese(text_of: Draw) -> None:
    page = text_of(promote_sheet(promotion(), "r1:team", Words("zh")))
    assert "不得调用 mail" in page
    assert "写出任务；轨迹里没有用户的话" in page
    assert "草稿：x" in page
