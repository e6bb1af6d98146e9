"""What travels between the run and its workers: an order to run one trial, and the trial that comes back.

An order carries the brief and the scene and nothing of the key: a worker never holds the answers. Its token must come back
with the result, so that one trial cannot answer for another.
"""

from __future__ import annotations

from typing import Any

import msgspec

from fairtrial.records.budget import Budget
from fairtrial.records.case import Brief, Scene
from fairtrial.records.errors import FairtrialError, InputError, InputErrors
from fairtrial.records.plain import plain
from fairtrial.records.prices import Prices
from fairtrial.records.setup import Setup
from fairtrial.records.suite import World
from fairtrial.records.tamper import Replay
from fairtrial.records.trial import TrialKey

GOODBYE = 0
"""The ticket with which a shared worker says that it ends on purpose."""
OPENING_S = 300.0
"""How long the suite's own code may take to be imported."""
SELF_SIGNAL = "fairtrial: the agent signalled its own process"
"""What a trial's process prints before it is killed by its own hand."""


class Confinement(msgspec.Struct, frozen=True, kw_only=True):
    """What a sandboxed trial may have. `shown` are paths that it may read beside the suite's folder and the interpreter,
    `hidden` those that it may not read although they lie below one of these."""

    memory_mb: int = 2048
    processes: int = 64
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


class Called(msgspec.Struct, frozen=True):
    """A function that is tried by itself: "module:function", the names of the arguments that it is given, and where that stands."""

    name: str
    given: tuple[str, ...] = ()
    place: str = ""


class StageSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker opens once: the suite's folder, its tools, world and setups; `calls`: the functions tried by themselves."""

    folder: str
    tools: str | None = None
    world: World = World()
    setups: dict[str, Setup] = {}
    budget: Budget = Budget()
    env: tuple[str, ...] = ()
    calls: tuple[Called, ...] = ()
    starts: str = ""
    """The folder in which large starts are laid down; nothing: each trial carries its own."""
    confinement: Confinement = Confinement()
    models: tuple[str, ...] = ()
    """Who plays the simulated users: models by name, "" for those with a script; none where no case has a user."""
    prices: Prices | None = None
    """What models cost, where the suite states it."""
    places: dict[str, str] = {}
    """file:line of what is opened, by its key (tools, world, setups.NAME, the name of a model), for errors to tell."""


class Order(msgspec.Struct, frozen=True, array_like=True):
    """One trial to run. `timeout_s` is the tightest of the limits on wall time and `limit` names it."""

    ticket: int
    token: str
    key: TrialKey
    seed: int
    brief: Brief
    scene: Scene
    budget: Budget
    timeout_s: float
    limit: str
    case_hash: str
    tries: int = 1
    replay: Replay | None = None
    """Where the trial is one that is run again from a hand-off on."""


class Work(msgspec.Struct, frozen=True):
    """What an interpreter of its own is started for. Without an order it only opens the stage and says what it found."""

    spec: StageSpec
    order: Order | None = None


class Result(msgspec.Struct, frozen=True, array_like=True):
    """A finished trial: `head` is JSON of a TrialHead, `body` JSON of a TrialBody; either in `spill`, a file, where it is large."""

    ticket: int
    token: str
    head: bytes
    body: bytes
    spill: str = ""


class Ended(msgspec.Struct, frozen=True, array_like=True):
    """A worker's process is gone. `tickets` are the trials it held; `signal` is 0 where it exited by itself with `code`.

    `asked` tells that the supervisor killed it at the trial's deadline, `excess` that it did so before and for what. `spans` are
    what the black box held (msgpack), `lost` how many more there were.
    """

    tickets: tuple[int, ...]
    code: int
    signal: int
    asked: bool
    by_itself: bool
    output: str = ""
    spans: bytes = b""
    held_ms: float = 0.0
    lost: int = 0
    excess: str = ""


class Told(msgspec.Struct, frozen=True, array_like=True):
    """The parts of an InputError."""

    what: str
    place: str | None = None
    value: Any = None
    allowed: str | None = None
    mend: str | None = None


class Problem(msgspec.Struct, frozen=True, array_like=True):
    """The stage could not be opened, and why; nothing will run here."""

    faults: tuple[Told, ...]

    @staticmethod
    def of(error: FairtrialError) -> Problem:
        each = error.errors if isinstance(error, InputErrors) else [error]
        return Problem(tuple(Told(one.what, one.place, plain(one.value), one.allowed, one.mend) for one in each))

    def error(self) -> InputError:
        """The error as it was raised, to be raised again on the run's side."""
        told = [InputError(one.what, place=one.place, value=one.value, allowed=one.allowed, mend=one.mend) for one in self.faults]
        return told[0] if len(told) == 1 else InputErrors(told)


class Retiring(msgspec.Struct, frozen=True, array_like=True):
    """A shared worker holds a thread that will not end: it finishes what it has and takes no more."""

    ticket: int


class Hello(msgspec.Struct, frozen=True, array_like=True):
    """The stage is open: what each setup was really given, as JSON of a list of Seats."""

    seats: bytes


ORDER_ENCODER = msgspec.msgpack.Encoder()


def pack(kind: str, message: Any) -> bytes:
    """A message with its kind before it, for one socket that carries all."""
    return kind.encode("ascii") + ORDER_ENCODER.encode(message)


_KINDS: dict[bytes, Any] = {
    b"R": msgspec.msgpack.Decoder(list[Result]),
    b"E": msgspec.msgpack.Decoder(Ended),
    b"P": msgspec.msgpack.Decoder(Problem),
    b"H": msgspec.msgpack.Decoder(Hello),
    b"Q": msgspec.msgpack.Decoder(Retiring),
}


def unpack(message: bytes) -> list[Result] | Ended | Problem | Hello | Retiring:
    """Raises msgspec.DecodeError or KeyError for what is none of ours."""
    return _KINDS[message[:1]].decode(message[1:])  # type: ignore[no-any-return]
