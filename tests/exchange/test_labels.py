"""Files of ratings: what is read, and what is refused with its line."""

from pathlib import Path

import pytest

from fairtrial.exchange.labels import read_ratings
from fairtrial.records.errors import InputError
from fairtrial.records.rating import Rating


def written(folder: Path, *lines: str) -> str:
    file = folder / "labels.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    return str(file)


def test_a_rating_is_read_with_all_its_parts(tmp_path: Path) -> None:
    line = '{"item": "a", "cluster": "t1", "rater": "human:1", "label": "PASS", "severity": "critical", "slice": {"lang": "zh"}}'
    (found,), refused = read_ratings(written(tmp_path, line))
    assert found == Rating(item="a", cluster="t1", rater="human:1", label="PASS", severity="critical", slice={"lang": "zh"})
    assert found.human and not refused
    assert not Rating(item="a", rater="quality", label="PASS").human


def test_a_broken_line_is_refused_alone(tmp_path: Path) -> None:
    good = '{"item": "a", "rater": "human:1", "label": "PASS"}'
    lines = [good, "{", '{"item": "b", "rater": "human:1"}', '{"item": "b", "rater": "x", "label": 3.5}', '{"items": "b"}', good]
    ratings, refused = read_ratings(written(tmp_path, *lines))
    assert len(ratings) == 2
    assert [refusal.line for refusal in refused] == [2, 3, 4, 5]
    assert "label" in refused[1].why and "unknown key 'items'" in refused[3].why


def test_only_a_person_settles(tmp_path: Path) -> None:
    rows = [
        '{"item": "a", "rater": "quality", "label": "PASS", "role": "settles"}',
        '{"item": "a", "rater": "cleo", "label": "PASS", "role": "settles"}',
        '{"item": "a", "rater": " Human:cleo", "label": "PASS", "role": "settles"}',
    ]
    ratings, refused = read_ratings(written(tmp_path, *rows))
    assert [rating.rater for rating in ratings] == [" Human:cleo"] and ratings[0].settles and ratings[0].human
    assert [(one.line, "only a person settles" in one.why) for one in refused] == [(1, True), (2, True)]


def test_a_name_that_cannot_be_read_is_refused_with_its_line(tmp_path: Path) -> None:
    rows = [
        f'{{"item": "a", "rater": "{rater}", "label": "PASS"}}' for rater in ("human:", "human: ", "human:a\\u0007", "human:a", "human")
    ]
    ratings, refused = read_ratings(written(tmp_path, *rows))
    assert [rating.rater for rating in ratings] == ["human:a", "human"]
    assert [one.line for one in refused] == [1, 2, 3]


def test_an_empty_label_is_a_gap_for_people_and_no_verdict_for_a_judge(tmp_path: Path) -> None:
    rows = [
        '{"item": "a", "rater": "human:1", "label": ""}',
        '{"item": "a", "rater": "human:1", "label": " "}',
        '{"item": "a", "rater": "q", "label": ""}',
    ]
    ratings, refused = read_ratings(written(tmp_path, *rows))
    assert ([rating.label for rating in ratings], refused) == ([None, None, ""], [])
    table = tmp_path / "labels.csv"
    table.write_text("item,rater,label\na,human:1,PASS\na,human:2,\na,q,\n", "utf-8")
    ratings, refused = read_ratings(str(table))
    assert ([rating.label for rating in ratings], refused) == (["PASS", None, None], [])


def test_a_label_that_is_a_fraction_is_refused_in_words(tmp_path: Path) -> None:
    good = '{"item": "a", "rater": "q", "label": "PASS"}'
    _, refused = read_ratings(written(tmp_path, good, good.replace('"PASS"', "3.5")))
    assert refused[0].why == "label is a word or a whole number, and 3.5 is neither"


def test_a_byte_that_is_no_text_costs_its_line_alone(tmp_path: Path) -> None:
    good = b'{"item": "a", "rater": "q", "label": "PASS"}\n'
    file = tmp_path / "labels.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + good + good.replace(b"PASS", b"PA\xffSS") + good)
    ratings, refused = read_ratings(str(file))
    assert (len(ratings), [(one.line, "0xff" in one.why) for one in refused]) == (2, [(2, True)])
    file.write_bytes(good.decode().encode("utf-16"))
    with pytest.raises(InputError, match="UTF-16"):
        read_ratings(str(file))


def test_a_file_without_ratings_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_ratings(written(tmp_path, "nothing"))


def test_whole_numbers_and_truth_values_are_labels_and_ids_and_null_is_a_gap(tmp_path: Path) -> None:
    lines = [
        '{"item": 7, "rater": "a", "label": 0}',
        '{"item": "7", "rater": "b", "label": true}',
        '{"item": "7", "rater": "c", "label": null}',
    ]
    ratings, refused = read_ratings(written(tmp_path, *lines))
    assert [(rating.item, rating.label) for rating in ratings] == [("7", "0"), ("7", "true"), ("7", None)]
    assert not refused


def test_a_rating_without_a_rater_or_an_item_is_refused(tmp_path: Path) -> None:
    good = '{"item": "a", "rater": "human:1", "label": "PASS"}'
    lines = [
        good,
        '{"item": "a", "rater": "", "label": "PASS"}',
        '{"item": "", "rater": "x", "label": "PASS"}',
        '{"rater": "x", "label": "P"}',
    ]
    _, refused = read_ratings(written(tmp_path, *lines))
    assert [refusal.line for refusal in refused] == [2, 3, 4]
