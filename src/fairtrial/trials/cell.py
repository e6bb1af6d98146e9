"""One trial in an interpreter of its own: started for it, ended with it, and nothing in it that another trial has seen.

It is handed what it needs as open descriptors and is told no more than its one order. In a sandbox it is the first program of
ours inside. Without an order it only opens the stage and says what each setup was given.
Run as `python -m fairtrial.trials.cell WORK OUT BEGINS MEMORY FOLDER PLACE RESULT LEVEL`.
"""

from __future__ import annotations

import os
import random
import socket
import sys
from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.errors import FairtrialError
from fairtrial.records.strictjson import encode
from fairtrial.trials import home, reap
from fairtrial.trials.blackbox import BlackBox
from fairtrial.trials.child import Ready, new_loop, play, prepare_supervisor, send, settle
from fairtrial.trials.conduct import stillborn
from fairtrial.trials.order import Hello, Problem, StageSpec, Work, pack
from fairtrial.trials.stage import Stage
from fairtrial.trials.wire import frame

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str]) -> None:
    """Open the stage, then run the one order. Never returns."""
    work_fd, out_fd, begins, memory = map(int, arguments[:4])
    folder, place, result, level = arguments[4:8]
    with open(work_fd, "rb") as file:
        work = msgspec.msgpack.decode(file.read(), type=Work)
    out = socket.socket(fileno=out_fd)
    box = BlackBox.taken(memory)
    if level == "sandbox":
        from fairtrial.trials.limits import hold, leave_keyring

        leave_keyring()
        hold(work.spec.confinement.memory_mb, work.spec.confinement.processes)
    reap.prepare()
    prepare_supervisor()
    settle(box)
    home.move_in(folder)
    os.makedirs(place, 0o700)
    if work.order is None:
        out.sendall(frame(_greeting(work.spec, place)))
        os._exit(0)
    setup = work.spec.setups.get(work.order.key.setup)
    os.environ.update({} if setup is None else setup.env)
    try:
        stage = Stage(work.spec, place, walled=level == "sandbox")
    except FairtrialError as error:  # it could be opened before any trial, so this is the harness's or the machine's fault
        head, body = stillborn(work.order, error)
        send(out, work.order, (encode(head), body), result)
        os._exit(0)
    random.seed(work.order.seed)
    loop = None if stage.agent(work.order.key.setup, work.order.scene).is_sync else new_loop()
    os.close(begins)
    play(Ready(work.order, stage, folder, box, None, loop), out, result)


def _greeting(spec: StageSpec, place: str) -> bytes:
    try:
        return pack("H", Hello(encode(Stage(spec, place).seats())))
    except FairtrialError as error:
        return pack("P", Problem.of(error))


if __name__ == "__main__":
    main(sys.argv[1:])
