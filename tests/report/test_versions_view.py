"""The page of several versions, and the sentences of comparisons in Chinese."""

import re
from collections.abc import Callable

import pytest

from fairtrial.records.report import Comparison
from fairtrial.report.compare_view import comparison_sheet
from fairtrial.report.echoes import echo
from fairtrial.report.versions_view import versions_sheet
from fairtrial.report.words import Words
from fairtrial.study.comparison import compare
from fairtrial.study.versions import read_versions
from tests.study.tables import info, one
from tests.study.test_versions import side

Text = Callable[..., str]

VERSIONS = """\
All versions  20 shared cases; ● no other is at least as good in success, severe failures, cost and times
     version  planned  = pass  + fail  + unknown  + not run  success rate  95% interval  severe
  ●  a             20      10      10          0          0         50.0%    29.9–70.1%       0
  ●  b             20      14       6          0          0         70.0%    48.1–85.5%       0
     c             20      12       8          0          0         60.0%    38.7–78.1%       0

Against the base  a:solo; p corrected (Holm)
     version  points     p     p50     p95  cost a trial  a success      95% interval  verdict
  ●  a             –     –  600 ms  600 ms         $0.03      $0.06    $0.03422–$0.12  –
  ●  b         +20.0  0.25  900 ms  900 ms         $0.06  $0.085714  $0.06259–$0.1358  cannot tell
     c         +10.0   0.5  900 ms  900 ms         $0.09      $0.15     $0.10–$0.2572  cannot tell
Of 3 versions on 20 shared cases, not beaten in everything by another: a, b; against a: cannot tell b, c; next: add
  cases before choosing by success, or choose by cost and time among those in front.
note: p-values are corrected (Holm) for 2 candidates; intervals are each for one look
  c: beaten by b

next, see one pair in full: fairtrial compare a:solo b:solo
"""


def test_the_page_of_several_versions(text_of: Text) -> None:
    tables = side("a", 10), side("b", 14, "0.06", 900), side("c", 12, "0.09", 900)
    base, *news = ((table, "solo") for table in tables)
    found = read_versions(base, news)
    assert text_of(versions_sheet(found, Words())) == VERSIONS
    assert "没有被另一版本全面胜过的有：a, b" in text_of(versions_sheet(found, Words("zh")))


def test_a_page_shows_both_sides_the_margin_and_what_undecided_trials_could_do(text_of: Text) -> None:
    base = one({f"c{n}": "P" if n < 30 else "F" for n in range(40)}, run="r1")
    new = one({f"c{n}": "P" if n < 30 else "U" if n < 34 else "-" for n in range(40)}, run="r2")
    page = text_of(comparison_sheet(compare(base, None, new, None, margin=0.1), Words()))
    assert "  base       40      30      10          0          0         75.0%    59.8–85.8%       0\n" in page
    assert "  new        40      30       0          4          6         88.2%    73.4–95.3%       0\n" in page
    assert "  margin 10.0 points: a loss up to there counts as not worse; the lower end is −" in page
    assert "  were every undecided and unrun trial against the new side, or for it: 0.0 … +25.0\n" in page


SENTENCES = {
    "better": ("F" * 20, "P" * 20),
    "worse": ("P" * 20, "F" * 20),
    "cannot tell, few": ("PF", "FP"),
    "cannot tell, alike": ("P" * 20, "P" * 20),
    "cannot tell, some": ("P" * 20, "P" * 18 + "FF"),
    "cannot tell, undecided": ("F" * 20, "P" * 12 + "U" * 6 + "--"),
    "invalid, nothing graded": ("P", "U"),
}
OURS = re.compile(r"p = [\d.]+|p < [\d.]+|--margin|\bc\d+\b")


@pytest.mark.parametrize("name", SENTENCES)
def test_every_sentence_of_a_comparison_comes_through_whole(name: str) -> None:
    base, new = (
        one({f"c{n}": letter for n, letter in enumerate(letters)}, run=run) for letters, run in zip(SENTENCES[name], "ab", strict=True)
    )
    found: Comparison = compare(base, None, new, None)
    for told in (found.says, *found.notes, *found.reasons.values()):
        assert re.findall("[A-Za-z]{2,}", OURS.sub("", echo(told))) == [], told


def test_notes_and_left_out_cases_come_through_whole() -> None:
    base = one({"a": "P", "b": "P", "x": "P"}, run="r1", environment={"python": "3.11"})
    new = one({"a": "P", "b": "P"}, run="r2", environment={"python": "3.12"}, infos={"a": info("a", hash="")})
    found = compare(base, None, new, None)
    assert len(found.notes) == 3
    for told in (found.says, *found.notes):
        left = OURS.sub("", echo(told)).replace("only in base x", "").replace("python", "")
        assert re.findall("[A-Za-z]{2,}", left) == [], told
