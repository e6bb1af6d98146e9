"""Which store is meant: the option, the variable, the nearest folder, and what a URL names."""

import os
from pathlib import Path

import pytest

from fairtrial.records.errors import StoreError
from fairtrial.store.location import file_of, find_store


def test_the_option_is_stronger_than_the_variable_and_that_than_any_folder(tmp_path: Path) -> None:
    assert find_store(tmp_path, "sqlite:///a.db", {"FAIRTRIAL_STORE": "b.db"}) == "sqlite:///a.db"
    assert find_store(tmp_path, None, {"FAIRTRIAL_STORE": "b.db"}) == "b.db"
    assert find_store(tmp_path, "", {"FAIRTRIAL_STORE": ""}) == str(tmp_path / ".fairtrial" / "store.db")


def test_the_nearest_folder_above_that_has_a_store_is_taken(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    assert find_store(deep, None, {}) == str(deep / ".fairtrial" / "store.db")
    for folder in (tmp_path, tmp_path / "a"):
        (folder / ".fairtrial").mkdir()
        (folder / ".fairtrial" / "store.db").touch()
    assert find_store(deep, None, {}) == str(tmp_path / "a" / ".fairtrial" / "store.db")
    suite = deep / "suite.yaml"
    suite.touch()
    assert find_store(suite, None, {}) == find_store(deep, None, {})


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("sqlite:///relative.db", "relative.db"),
        ("sqlite:////abs/olute.db", "/abs/olute.db"),
        ("sqlite:///with%20space.db", "with space.db"),
        ("plain/path.db", "plain/path.db"),
        ("SQLITE:///x.db", "x.db"),
    ],
)
def test_a_url_names_a_file(url: str, file: str) -> None:
    assert file_of(url) == file


@pytest.mark.parametrize("url", ["", "sqlite:///", "mysql://host/x", "sqlite://x.db", "a\0b"])
def test_what_names_no_file_is_refused(url: str) -> None:
    with pytest.raises(StoreError):
        file_of(url)


def test_a_path_object_names_itself(tmp_path: Path) -> None:
    assert file_of(tmp_path / "x.db") == os.fspath(tmp_path / "x.db")
