"""How much of a page's success rests on a judge, in both languages."""

import io
import re

from fairtrial.records.standing import Standing
from fairtrial.report.run_view import run_sheet
from fairtrial.report.terminal import console, draw
from fairtrial.report.words import Words
from fairtrial.study.calibration import Calibration
from fairtrial.study.comparison import compare
from fairtrial.study.report import read_run
from fairtrial.study.table import Table
from tests.study.judged import errors, judged, label

MANY = {f"c{n:02}": "PPF" if n % 2 else "PPP" for n in range(40)}
LATIN = re.compile(r"[A-Za-z]{2,}")
OURS = re.compile(r"\b(solo|quality|Rogan|Gladen|UNKNOWN|kappa|fairtrial|review|judge|exam|LABELS|base|new|c\d\d|--judge)\b")


def page(table: Table, language: str, standing: Standing | None = None) -> str:
    report = read_run(table)
    if standing is not None:
        report.judges = {"quality": standing}
    screen = io.StringIO()
    draw(run_sheet(report, Words(language)), console(screen, 400))
    return " ".join(screen.getvalue().split())


def test_a_rate_of_a_judge_of_whom_nothing_is_known_is_told_as_such() -> None:
    table = judged({"solo": MANY})
    assert "solo: 120 of 120 trials rest on the judge quality; not corrected: nobody has labelled enough" in page(table, "en")
    assert "solo: 120 次试验中有 120 次取决于裁判 quality; 未校正: 人工标注不够" in page(table, "zh")


def test_a_corrected_rate_stands_with_its_interval_its_labels_and_the_date_of_the_exam() -> None:
    table = judged({"solo": MANY})
    label(table.lane(), {f"c{n:02}": "P" for n in range(20)}, errors(0.95, 0.9))
    shown = page(table, "en")
    assert "(20 labels on 20 cases, examined 2026-11-30); corrected by people's labels the success rate is 83.3%" in shown
    assert "; Rogan-Gladen: " in shown
    assert "按人工标注校正后，成功率为 83.3%" in page(table, "zh")


def test_how_a_judge_stands_is_told_in_both_languages() -> None:
    standing = Standing(
        judge="quality", state="failed", bar={"kappa": "0.6"}, why="quality has not passed its exam of 2026-11-30: kappa 0.5"
    )
    table = judged({"solo": MANY})
    assert standing.why in page(table, "en", standing)
    assert "quality 在 2026-11-30 的考试未通过" in page(table, "zh", standing)


def test_what_a_comparison_says_of_judges_is_known_in_chinese() -> None:
    told = judged({"solo": MANY, "new": {name: "PPP" for name in MANY}})
    words = Words("zh")
    said = [compare(told, "solo", told, "new").says]
    for lane in told.lanes.values():
        lane.calibration = Calibration(errors=errors(0.9, 0.85))
    said.append(compare(told, "solo", told, "new").says)
    for lane in told.lanes.values():
        lane.calibration = Calibration(errors=errors(0.5, 0.5))
    said.append(compare(told, "solo", told, "new").says)
    for name, lane in told.lanes.items():
        label(lane, {f"c{n:02}": "PPF" if name == "new" else "PPP" for n in range(20)})
    said.append(compare(told, "solo", told, "new").says)
    for sentence in said:
        for clause in sentence.split("; "):
            if "judge" in clause or "corrected" in clause or "label" in clause:
                assert LATIN.findall(OURS.sub("", words.echo(clause))) == [], clause
