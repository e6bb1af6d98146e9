"""The page of a diagnosis, in both languages and with hostile names."""

from collections.abc import Callable

import msgspec

from fairtrial.records.diagnosis import CardLine, Diagnosis, Group, KindLine, Place
from fairtrial.report.diagnose_view import diagnosis_sheet
from fairtrial.report.words import Words

Text = Callable[..., str]

MEND = "make the fact a required field of this hand-off"

LOST = Group(
    case="stockout", setup="team", kind="handoff_loss", also=["goal_drift"], attempts=[2, 3], severe=1, checks=["days used"], looked=2,
    alike=2, place=Place(decidable=True, agent="coo", step=2, span="2", at="handoff coo->ceo", evidence="coo left days out"),
)  # fmt: skip
OPEN = Group(
    case="week", setup="team", kind="goal_drift", also=[], attempts=[1], severe=0, checks=["sum"], looked=3, alike=2,
    place=Place(decidable=False, agent="ceo", step=9, span=None, at="answer", evidence="another number", why="the evidence names no act"),
)  # fmt: skip
FOUND = Diagnosis(
    run="r1", setups=["team"], planned=10, passed=6, failed=3, unknown=1, not_run=0, groups=[LOST, OPEN], undecidable=1,
    kinds=[
        KindLine(
            kind="handoff_loss", trials=2, also=0, cases=1, share=2 / 3, severe=1, cost_usd=None, cost_known=0, weight=20.0,
            cause="the hand-off does not require the fact", mend=MEND, where=[], rerun=["stockout"],
        )
    ],
    cards=[CardLine(card="coordination", trials=2, mend="mend the hand-off contract: what must be passed on, and to whom")],
    rerun=[{"case": "stockout", "setups": ["team"], "trials": 2, "run": "r1"}],
    says=f"3 of 9 trials failed; look first at handoff_loss (2, 66.7 % of them); to begin with: {MEND}.",
    notes=["UNKNOWN trials are in no line here: 1"],
)  # fmt: skip


def test_the_page_tells_kind_place_mend_and_what_to_run_again(text_of: Text) -> None:
    page = text_of(diagnosis_sheet(FOUND, Words()))
    assert "hand-off loss" in page and "coo: handoff coo->ceo  (span 2)" in page
    assert "not decidable from this trace (the evidence names no act)  shows at ceo: answer" in page
    assert "(2 of 3 looked at)" in page
    assert "fairtrial retest r1 stockout  (2 trials: team)" in page
    assert page.splitlines()[-1].endswith("fairtrial replay r1:team stockout 2")


def test_in_chinese_all_but_what_is_not_ours_is_chinese(text_of: Text) -> None:
    page = text_of(diagnosis_sheet(FOUND, Words("zh")))
    assert "9 次试验中 3 次失败；先看 handoff_loss（2 次，占其中 66.7 %）；先做：把这条事实设为该交接的必填项" in page
    assert "交接没有要求带上这个事实" in page
    assert "无法判断" in page and "证据没有指出任何动作" in page


def test_names_from_elsewhere_cannot_break_the_page(text_of: Text) -> None:
    hostile = msgspec.structs.replace(LOST, case="\x1b[2Jx; rm y", setup="a\nb")
    page = text_of(diagnosis_sheet(msgspec.structs.replace(FOUND, groups=[hostile]), Words()))
    assert "\x1b" not in page
    assert "fairtrial replay" in page.splitlines()[-1]


def test_many_groups_are_cut_with_their_number(text_of: Text) -> None:
    page = text_of(diagnosis_sheet(msgspec.structs.replace(FOUND, groups=[LOST] * 15), Words(), most=12))
    assert "3 more: fairtrial diagnose r1 --all" in page


def test_a_run_without_failures_is_one_line(text_of: Text) -> None:
    clean = msgspec.structs.replace(FOUND, kinds=[], groups=[], cards=[], rerun=[], notes=[], says="None of 9 trials failed.")
    assert text_of(diagnosis_sheet(clean, Words())).splitlines()[1:] == ["None of 9 trials failed."]
