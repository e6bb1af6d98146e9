"""A start that trials share is believed only for its content, covered, and stored once."""

from hashlib import sha256
from pathlib import Path

import pytest

from fairtrial.records.edits import applied
from fairtrial.records.errors import StoreError
from fairtrial.records.start import INLINE, Start
from fairtrial.records.trial import Change, TrialBody
from fairtrial.steps.starts import Starts
from fairtrial.store.codec import read_body, write_body
from fairtrial.store.door import admit_start
from fairtrial.store.redact import Redactor
from fairtrial.store.sql import Store
from fairtrial.worlds.starts import Starts as Laid
from tests.store import samples

STATE = b'{"users":[{"name":"a","password":"open-sesame"}]}'


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store.open(str(tmp_path / "store.db"), redactor=Redactor(["known-secret"]))
    made.create_run("r-1", samples.manifest(), {})
    return made


def named(name: str) -> TrialBody:
    return TrialBody(start=Start(name))


def test_a_start_is_taken_from_where_it_was_laid_covered_and_stored(store: Store, tmp_path: Path) -> None:
    name = Laid(tmp_path / "starts").write([STATE[:9], STATE[9:]])
    assert name == sha256(STATE).hexdigest()
    starts = Starts("r-1", store, str(tmp_path / "starts"))
    base = starts.base(named(name))
    assert base is not None and base.kept.state == {"users": [{"name": "a", "password": "[redacted:key]"}]}
    assert base.kept.altered == {"users.0.password": "[redacted:key]"}
    (tmp_path / "starts" / name).unlink()
    assert Starts("r-1", store, str(tmp_path)).base(named(name)) is base, "stored is stored, for a resumed run as well"
    assert starts.base(TrialBody()) is None
    store.close()
    assert b"open-sesame" not in (tmp_path / "store.db").read_bytes()


@pytest.mark.parametrize("name", ["0" * 64, "../../etc/passwd", "", "G" * 64])
def test_a_start_that_is_not_there_or_is_another_is_refused(store: Store, tmp_path: Path, name: str) -> None:
    (tmp_path / "starts").mkdir()
    (tmp_path / "starts" / ("0" * 64)).write_bytes(STATE)
    with pytest.raises(StoreError, match="the start that the trial names is not there"):
        Starts("r-1", store, str(tmp_path / "starts")).base(named(name))
    assert not store.starts.has("r-1", name)
    store.close()


def test_a_start_that_cannot_be_kept_whole_is_named_and_half_letters_are_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    assert b"\xef\xbf\xbd" in admit_start(Redactor(), b'{"a":"\\ud800"}')
    monkeypatch.setattr("fairtrial.store.door.START_LIMIT", 10)
    assert b'"missing":"a start of 49 bytes is too large to be kept"' in admit_start(Redactor(), STATE)
    with pytest.raises(StoreError):
        monkeypatch.setattr("fairtrial.store.door.START_LIMIT", 100)
        admit_start(Redactor(), b'{"password":')


def test_a_body_that_holds_a_large_start_itself_names_it_from_now_on(store: Store, tmp_path: Path) -> None:
    starts = Starts("r-1", store, str(tmp_path))
    before = {"t": [{"n": n, "text": "x" * 100} for n in range(INLINE // 100)]}
    after = {"t": before["t"][:-1]}
    for end in (after, None):
        body = TrialBody(output=1, before=before, after=end, changes=[Change("t", "removed")])
        told = read_body(starts.share(write_body(body)))
        base = starts.base(told)
        assert base is not None and (told.before, told.after, told.output, told.changes) == (None, None, 1, body.changes)
        assert applied(base.kept.state, told.end) == (before if end is None else after)
    small = write_body(TrialBody(before={"t": []}, error="e" * INLINE))
    assert starts.share(small) is small
    store.close()
