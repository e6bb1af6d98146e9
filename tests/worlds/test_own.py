"""A world of the user's own: checked at the door, and its errors say whose they are."""

import sys
from typing import Any

import msgspec
import pytest

from fairtrial.records.case import Scene
from fairtrial.records.errors import InputError
from fairtrial.worlds.own import OwnWorld


class Shelf:
    def __init__(self, books: list[str]) -> None:
        self.live = self.before = books

    def after(self) -> Any:
        return self.live

    def close(self) -> None: ...


class Library:
    def open(self, scene: Scene) -> Shelf:
        return Shelf(list(scene.state))


def test_what_was_before_stays_although_the_user_s_object_goes_on_to_change() -> None:
    live = OwnWorld("m:Library", Library).open(Scene(state=["a"]))
    assert live.after() is msgspec.UNSET
    live.live.append("b")
    assert (live.before, live.after()) == (["a"], ["a", "b"])
    assert [change.path for change in live.changes(live.after())] == ["[1]"]


class Marked(Shelf):
    def mark(self) -> int:
        return 1 // len(self.live)


def test_a_mark_is_asked_where_there_is_one_and_may_fail() -> None:
    assert OwnWorld("m:L", Opens(lambda scene: Shelf([]))).open(Scene()).mark() is None
    assert OwnWorld("m:L", Opens(lambda scene: Marked(["a"]))).open(Scene()).mark() == 1
    assert OwnWorld("m:L", Opens(lambda scene: Marked([]))).open(Scene()).mark() is None


class Bare:
    live = before = after = None


class Opens:
    def __init__(self, live: Any) -> None:
        self.open = live


async def late(scene: Scene) -> None: ...


def leave(scene: Scene) -> None:
    sys.exit(3)


@pytest.mark.parametrize(("made", "why"), [(Bare, r"has no open\(scene\)"), (Shelf, "making it failed"), (Opens(late), "is async")])
def test_what_is_no_world_is_named_at_the_door(made: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        OwnWorld("m:W", made)


@pytest.mark.parametrize(("opener", "why"), [(lambda scene: Bare(), r"lacks close, after\(\)"), (leave, "failed: SystemExit: 3")])
def test_what_is_no_live_world_is_named_when_it_is_opened(opener: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        OwnWorld("m:W", Opens(opener)).open(Scene())
