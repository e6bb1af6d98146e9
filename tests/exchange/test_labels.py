"""Files of ratings: what is read, and what is refused with its line."""

from pathlib import Path

import pytest

from fairtrial.exchange.labels import Rating, read_ratings
from fairtrial.records.errors import InputError


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
    lines = [good, "{", '{"item": "b", "rater": "human:1"}', '{"item": "b", "rater": "x", "label": 3}', '{"items": "b"}', good]
    ratings, refused = read_ratings(written(tmp_path, *lines))
    assert len(ratings) == 2
    assert [refusal.line for refusal in refused] == [2, 3, 4, 5]
    assert "label" in refused[1].why and "unknown key 'items'" in refused[3].why


def test_a_file_without_ratings_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_ratings(written(tmp_path, "nothing"))
