"""A table of prices is read strictly: exact amounts, every slip with its line, and nothing guessed."""

from decimal import Decimal
from pathlib import Path

import pytest

from fairtrial.cases.prices import read_prices
from fairtrial.cases.suite import load_suite
from fairtrial.records.errors import InputError, InputErrors
from fairtrial.records.prices import Price, Prices

GOOD = """date: 2026-11-01
models:
  m-1: {input: "0.15", cached: 0.075, output: "0.60"}
  "qwen-max": {input: 2, output: 6, cache_write: "2.5"}
"""


def table(folder: Path, text: str) -> Prices:
    (folder / "prices.yaml").write_text(text, encoding="utf-8")
    return read_prices("prices.yaml", str(folder))


def test_a_table_is_read_exactly(tmp_path: Path) -> None:
    found = table(tmp_path, GOOD)
    assert (found.date, found.source, found.told) == ("2026-11-01", "prices.yaml", "prices.yaml of 2026-11-01")
    assert found.models["m-1"] == Price(input=Decimal("0.15"), output=Decimal("0.60"), cached=Decimal("0.075"))
    assert found.models["qwen-max"].cache_write == Decimal("2.5") and found.models["qwen-max"].cached is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("models: {m: {input: 1, outptu: 2}}", "outptu"),
        ("models: {m: {input: 1}}", "output"),
        ("models: {m: {input: -1, output: 2}}", "no price"),
        ("models: {m: {input: .nan, output: 2}}", "finite"),
        ("models: {m: {input: 1, output: 2000000}}", "no price"),
        ("models: {m: {input: cheap, output: 2}}", "input"),
        ("models: {}", "models"),
        ("date: yesterday\nmodels: {m: {input: 1, output: 2}}", "no day"),
        ("m: {input: 1, output: 2}", "models"),
        ("- m", "one object"),
    ],
)
def test_a_slip_is_named_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        table(tmp_path, text)
    assert words in str(caught.value) and "prices.yaml" in str(caught.value)


def suite(folder: Path) -> Path:
    (folder / "suite.yaml").write_text("cases: cases.jsonl\nprices: prices.yaml\n", encoding="utf-8")
    (folder / "cases.jsonl").write_text('{"id": "a", "task": "t", "must": [{"output": "x", "exists": true}]}\n', encoding="utf-8")
    return folder


def test_a_suite_holds_its_table(tmp_path: Path) -> None:
    table(tmp_path, GOOD)
    found = load_suite(suite(tmp_path)).prices
    assert found is not None and set(found.models) == {"m-1", "qwen-max"}


def test_a_broken_table_and_a_missing_one_are_errors_of_the_suite(tmp_path: Path) -> None:
    with pytest.raises(InputErrors, match="no such file"):
        load_suite(suite(tmp_path))
    (tmp_path / "prices.yaml").write_text("models: {m: {input: 1}}", encoding="utf-8")
    with pytest.raises(InputErrors, match="output"):
        load_suite(suite(tmp_path))
