"""A world of files is a copy of a trial's own: read as it is, and no way out of it."""

import os
import shutil
import socket
import stat
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairtrial.records.case import Scene
from fairtrial.records.edits import applied
from fairtrial.records.errors import InputError
from fairtrial.records.start import INLINE
from fairtrial.records.strictjson import reread
from fairtrial.records.suite import World
from fairtrial.records.trial import TrialBody
from fairtrial.worlds import tree
from fairtrial.worlds.files import FilesWorld, LiveFiles
from fairtrial.worlds.starts import Starts


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    files = tmp_path / "suite" / "code"
    (files / "src").mkdir(parents=True)
    (files / "src/app.py").write_text("one\ntwo\n")
    (files / "run.sh").write_text("#!/bin/sh\n")
    (files / "run.sh").chmod(0o755)
    (files / "logo.bin").write_bytes(b"\0\xff")
    (files / "now").symlink_to("src/app.py")
    return tmp_path / "suite"


def opened(suite: Path, **world: Any) -> FilesWorld:
    place = suite.parent / "run"
    place.mkdir(exist_ok=True)
    return FilesWorld(World(kind="files", **world), suite, place)


def trial(world: FilesWorld, state: Any = None) -> LiveFiles:
    return world.open(Scene(state=state))


def start_of(world: FilesWorld) -> Any:
    live = trial(world)
    live.close()
    world.close()
    return live.before


START = {
    "logo.bin": {"base64": "AP8="},
    "now": {"link": "src/app.py"},
    "run.sh": {"text": "#!/bin/sh\n", "executable": True},
    "src/app.py": "one\ntwo\n",
}


def test_every_trial_has_a_copy_of_its_own_and_the_source_stays_as_it_is(suite: Path) -> None:
    world = opened(suite, source="code")
    one, two = trial(world), trial(world)
    assert one.before == START and one.start_hash == two.start_hash
    (one.live / "src/app.py").write_text("changed\n")
    (one.live / "now").unlink()
    assert (two.live / "src/app.py").read_text() == (suite / "code/src/app.py").read_text() == "one\ntwo\n"
    assert two.after() is msgspec.UNSET
    after = one.after()
    assert [(change.path, change.kind) for change in one.changes(after)] == [("now", "removed"), ("src/app.py", "changed")]
    one.close()
    two.close()
    world.close()
    assert not one.live.exists() and not list((suite.parent / "run").iterdir())


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the oracle")
def test_the_patch_is_one_that_git_applies(suite: Path) -> None:
    world = opened(suite, source="code")
    live, other = trial(world), trial(world)
    (live.live / "src/app.py").write_text("zero\none\nTWO")
    (live.live / "new.txt").write_text("new\n")
    (live.live / "run.sh").unlink()
    after = live.after()
    live.changes(after)
    assert "\\ No newline at end of file\n" in live.patch
    subprocess.run(["git", "apply", "-"], input=live.patch, text=True, check=True, cwd=other.live)
    assert other.after() == after


def test_a_world_that_was_deleted_or_put_elsewhere_is_empty(suite: Path) -> None:
    world = opened(suite, source="code")
    gone, linked = trial(world), trial(world)
    shutil.rmtree(gone.live)
    assert gone.after() == {}
    assert {change.kind for change in gone.changes({})} == {"removed"}
    gone.close()
    shutil.rmtree(linked.live)
    linked.live.symlink_to(suite / "code")
    assert linked.after() == {}
    linked.close()
    assert (suite / "code/src/app.py").exists()


def test_a_link_is_noted_and_what_it_leads_to_is_never_read_or_removed(suite: Path) -> None:
    secret = suite.parent / "secret"
    secret.mkdir()
    (secret / "key").write_text("the answer")
    live = trial(opened(suite, source="code"))
    (live.live / "out").symlink_to(secret)
    (live.live / "key").symlink_to(secret / "key")
    os.mkfifo(live.live / "pipe")
    after = live.after()
    assert (after["out"], after["key"], after["pipe"]) == ({"link": str(secret)}, {"link": str(secret / "key")}, {"special": "p"})
    assert "the answer" not in str(after)
    live.close()
    assert (secret / "key").read_text() == "the answer"


@pytest.mark.parametrize("target", ["../../elsewhere", "/etc/hostname", "src/../../up"])
def test_a_source_with_a_way_out_is_refused(suite: Path, target: str) -> None:
    (suite / "code/way").symlink_to(target)
    with pytest.raises(InputError, match="leads out of the world"):
        opened(suite, source="code")


@pytest.mark.parametrize("source", [".", "..", "nowhere", "code/run.sh"])
def test_a_source_that_holds_the_suite_or_is_no_folder_is_refused(suite: Path, source: str) -> None:
    with pytest.raises(InputError, match=r"would hold the|is no folder"):
        opened(suite, source=source)


def test_a_case_writes_its_own_files_over_the_start(suite: Path) -> None:
    world = opened(suite, source="code")
    live = trial(world, {"src/app.py": "mine\n", "deep/er.txt": {"base64": "b2s="}, "logo.bin": None, "l": {"link": "run.sh"}})
    assert live.before["src/app.py"] == "mine\n" and live.before["deep/er.txt"] == "ok" and "logo.bin" not in live.before
    assert live.after() is msgspec.UNSET
    assert trial(world).before == START


@pytest.mark.parametrize(
    "state", [{"../x": "1"}, {"/x": "1"}, {"a": {"link": "../b"}}, {"now/x": "1"}, {"x": 7}, {"none": None}, "text", {"src": "1"}]
)
def test_a_state_that_is_no_tree_inside_the_world_is_named(suite: Path, state: Any) -> None:
    with pytest.raises(InputError):
        trial(opened(suite, source="code"), state)


def test_a_changed_template_starts_no_further_trial(suite: Path) -> None:
    world = opened(suite, source="code")
    template = next((suite.parent / "run").glob("files-*"))
    (template / "run.sh").write_text("evil")
    with pytest.raises(InputError, match="were changed by a trial"):
        trial(world)


def test_large_files_are_kept_by_their_hash_and_a_change_is_still_seen(suite: Path) -> None:
    (suite / "code/big.txt").write_text("x" * (tree.WHOLE + 1))
    live = trial(opened(suite, source="code"))
    assert live.before["big.txt"]["bytes"] == tree.WHOLE + 1
    with open(live.live / "big.txt", "r+b") as file:
        file.write(b"y")
    with open(live.live / "huge", "wb") as file:
        file.truncate(1 << 40)
    after = live.after()
    assert [(change.path, change.kind) for change in live.changes(after)] == [("big.txt", "changed"), ("huge", "added")]
    assert after["huge"] == {"bytes": 1 << 40}


def test_what_did_not_change_reads_the_same_although_others_took_the_room(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "WHOLE_TREE", 40)
    monkeypatch.setattr(tree, "YOUNG_NS", 1 << 62)
    live = trial(opened(suite, source="code"))
    (live.live / "a").write_text("x" * 39)
    assert [change.path for change in live.changes(live.after())] == ["a"]
    (live.live / "b").write_text("x" * 39)
    assert live.after()["b"]["bytes"] == 39


def test_a_change_is_seen_that_puts_size_and_time_back(suite: Path) -> None:
    live = trial(opened(suite, source="code"))
    file = live.live / "src/app.py"
    times = file.stat()
    file.write_text("two\none\n")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert live.after()["src/app.py"] == "two\none\n"


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_repository_is_taken_at_its_commit_and_only_read(suite: Path) -> None:
    code = suite / "code"

    def git(*words: str) -> str:
        who = ["-c", "user.name=n", "-c", "user.email=e"]
        return subprocess.run(["git", *who, *words], cwd=code, check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    commit = git("rev-parse", "HEAD").strip()
    (code / "src/app.py").write_text("later\n")
    (code / "stray.txt").write_text("never added")
    before = git("status", "--porcelain")
    for name in (commit, "HEAD", commit[:8]):
        assert start_of(opened(suite, source="code", commit=name)) == START
    assert start_of(opened(suite, source="code/src", commit="HEAD")) == {"app.py": "one\ntwo\n"}
    assert git("status", "--porcelain") == before
    for wrong in ("nope", "--help"):
        with pytest.raises(InputError, match="commit"):
            opened(suite, source="code", commit=wrong)


def test_a_bundle_is_a_repository_in_one_file(suite: Path) -> None:
    def git(*words: str) -> None:
        command = ["git", "-C", str(suite / "code"), "-c", "user.name=a", "-c", "user.email=a@b.c", *words]
        subprocess.run(command, check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    git("tag", "v1")
    git("bundle", "create", str(suite / "code.bundle"), "v1")
    assert start_of(opened(suite, source="code.bundle", commit="v1")) == START
    (suite / "broken.bundle").write_bytes((suite / "code.bundle").read_bytes()[:60])
    for name, commit, said in (("broken.bundle", "v1", "bundle"), ("code.bundle", "v2", "v2"), ("code.bundle", None, "no folder")):
        with pytest.raises(InputError, match=said):
            opened(suite, source=name, commit=commit)


def test_folders_without_end_are_noted_and_taken_away(suite: Path) -> None:
    live = trial(opened(suite, source="code"))
    here = os.open(live.live, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=here)
        deeper = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    (live.live / "out").symlink_to(suite / "code")
    added = [change.path for change in live.changes(live.after()) if change.kind == "added"]
    assert len(added) == 2 and added[0].startswith("d/d/d/")
    live.close()
    assert not live.live.exists() and (suite / "code/src/app.py").exists()


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_trial_at_a_commit_has_a_repository_of_its_own_that_is_no_content(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = suite / "code"

    def git(*words: str, at: Path = code) -> str:
        who = ["-c", "user.name=n", "-c", "user.email=e@x"]
        return subprocess.run(["git", *who, *words], cwd=at, check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    (code / "src/app.py").write_text("the answer\n")
    git("commit", "-qam", "the answer comes later")
    hooks = suite.parent / "hooks"
    hooks.mkdir()
    (hooks / "post-commit").write_text("#!/bin/sh\ntouch ../ran\n")
    (hooks / "post-commit").chmod(0o755)
    (suite.parent / "gitconfig").write_text(f"[core]\n\thooksPath = {hooks}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(suite.parent / "gitconfig"))
    world = opened(suite, source="code", commit="HEAD~1")
    live, other = trial(world, {"notes.txt": "given\n"}), trial(world)
    assert live.before == START | {"notes.txt": "given\n"} and other.before == START
    assert git("status", "--porcelain", at=live.live) == git("diff", "HEAD", at=live.live) == ""
    assert git("log", "--format=%s", at=live.live) == "start\n"
    assert "the answer" not in git("grep", "-h", "", "HEAD", at=live.live)
    (live.live / "src/app.py").write_text("one\n2\n")
    assert "-two\n+2\n" in git("diff", at=live.live)
    git("commit", "-qam", "mine", at=live.live)
    assert not list(suite.parent.rglob("ran"))
    after = live.after()
    assert [(change.path, change.kind) for change in live.changes(after)] == [("src/app.py", "changed")]
    assert not any(path.startswith(".git") for path in after)
    live.close()
    with pytest.raises(InputError, match="own repository"):
        trial(world, {".git/config": "[core]"})
    world.close()


def test_a_start_that_is_stored_once_is_kept_whole(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "WHOLE", 1000)
    (suite / "code/data.txt").write_text("x" * INLINE)
    place = suite.parent / "run"
    place.mkdir()
    starts = place / "starts"
    world = FilesWorld(World(kind="files", source="code"), suite, place, Starts(starts))
    live, other = trial(world, {"mine.txt": "m", "logo.bin": None}), trial(world)
    (live.live / "src/app.py").write_text("y" * 1001)
    (live.live / "data.txt").touch()
    body = TrialBody()
    live.tell_start(body)
    live.tell_end(body)
    assert body.start is not None and body.before is None and body.kind == "files"
    before = applied(reread((starts / body.start.base).read_bytes()), body.start.edits)
    assert before == live.before and before["data.txt"] == "x" * INLINE and "logo.bin" not in before
    assert applied(before, body.end) == before | {"src/app.py": body.end[0].value} and body.end[0].value["bytes"] == 1001
    assert other.start_hash == body.start.base[:16] != live.start_hash
    assert "src/app.py" in body.patch


def test_a_copy_to_be_thrown_away_is_made_whatever_an_agent_left_there(suite: Path) -> None:
    live = trial(opened(suite, source="code"))
    os.mkfifo(live.live / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(live.live / "socket"))
        copy = live.scratch()
    assert stat.S_ISFIFO((copy / "pipe").lstat().st_mode) and not (copy / "socket").exists()
    assert (copy / "src/app.py").read_text() == "one\ntwo\n" and (copy / "now").is_symlink()
    live.close()
    assert not copy.exists()
