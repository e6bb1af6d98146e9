"""Labels from tables and published shapes: what becomes a rating, and what is refused with its row."""

import json
from pathlib import Path

import pytest

from fairtrial.exchange.labelmap import Columns, read_tables
from fairtrial.exchange.labelshapes import read_devai, read_pandalm
from fairtrial.records.errors import InputError
from fairtrial.records.rating import Rating

WIDE = Columns(item=("task", "step"), cluster=("task",), slices=("kind",), raters={"human:1": "p", "j": "judge"}, renamed={"1": "PASS"})


def test_a_wide_table_gives_one_rating_a_rater(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("task,step,kind,p,judge\nt1,1,x,1,0\nt1,2,,,1\n", "utf-8")
    ratings, refused = read_tables("csv", [str(file)], WIDE)
    assert ratings[0] == Rating(item="t1/1", cluster="t1", rater="human:1", label="PASS", slice={"kind": "x"})
    assert [(one.item, one.rater, one.label) for one in ratings[1:]] == [
        ("t1/1", "j", "0"),
        ("t1/2", "human:1", None),
        ("t1/2", "j", "PASS"),
    ]
    assert not refused


def test_a_long_table_names_the_rater_in_its_row(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps([{"id": 7, "who": "human:1", "said": True}, {"id": 7, "who": "", "said": False}, 3]), "utf-8")
    ratings, refused = read_tables("json", [str(file)], Columns(item=("id",), rater="who", label="said"))
    assert ratings == [Rating(item="7", rater="human:1", label="true")]
    assert [one.line for _, one in refused] == [2, 3]


def test_several_files_share_their_items_and_each_may_lack_columns(tmp_path: Path) -> None:
    for name, row in (("a", {"idx": 1, "ann": 2}), ("b", {"idx": 1, "model": 0})):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row), "utf-8")
    files = [str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]
    ratings, _ = read_tables("jsonl", files, Columns(item=("idx",), raters={"human:1": "ann", "m": "model"}))
    assert [(one.rater, one.label) for one in ratings] == [("human:1", "2"), ("m", "0")]
    with pytest.raises(InputError, match="no column 'ann2' in any file"):
        read_tables("jsonl", files, Columns(item=("idx",), raters={"human:1": "ann2"}))
    with pytest.raises(InputError, match="no column 'id'"):
        read_tables("jsonl", files, Columns(item=("id",), raters={"human:1": "ann"}))


@pytest.mark.parametrize("cell", [1.5, [1], {"a": 1}])
def test_what_is_no_label_is_refused_with_its_row(tmp_path: Path, cell: object) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"i": "x", "h": cell}) + "\n" + json.dumps({"i": "y", "h": "ok"}), "utf-8")
    ratings, refused = read_tables("jsonl", [str(file)], Columns(item=("i",), raters={"h": "h"}))
    assert len(ratings) == 1 and refused[0][1].line == 1


def test_projects_are_read_from_the_folders_of_their_judges(tmp_path: Path) -> None:
    for folder, said in (("human_as_a_judge", True), ("agent_as_a_judge", None)):
        (tmp_path / folder).mkdir()
        rows = [{"requirement_id": 0, "category": "c", "satisfied": said}, {"requirement_id": 1}]
        (tmp_path / folder / "01.json").write_text(json.dumps({"name": "01", "requirements": rows}), "utf-8")
    ratings, refused = read_devai([str(tmp_path)])
    assert [(one.item, one.rater, one.label, one.cluster) for one in ratings] == [
        ("01/0", "agent_as_a_judge", None, "01"),
        ("01/0", "human:human_as_a_judge", "satisfied", "01"),
    ]
    assert len(refused) == 2


def test_a_reply_that_is_no_number_of_a_response_is_kept_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps([{"idx": 0, "gpt_result": "Neither is"}, {"idx": 1, "gpt_result": 2}, {"idx": 2}]), "utf-8")
    ratings, refused = read_pandalm([str(file)])
    assert [(one.rater, one.label) for one in ratings] == [("gpt", "Neither is"), ("gpt", "2")]
    assert len(refused) == 1
    (tmp_path / "b.json").write_text("{}", "utf-8")
    with pytest.raises(InputError):
        read_pandalm([str(tmp_path / "b.json")])
