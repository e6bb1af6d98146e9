"""Who holds a run: told from a later process of the same number, and from another machine's."""

import os
import subprocess
import sys
import time

import msgspec

from fairtrial.store.holder import STALE_NS, Holder, alive, myself


def _words(**changed: object) -> str:
    return msgspec.structs.replace(myself(), **changed).words()


def test_this_process_is_alive() -> None:
    assert myself().pid == os.getpid()
    assert alive(myself().words(), None)


def test_nobody_and_nonsense_hold_nothing() -> None:
    assert not alive(None, time.time_ns())
    assert not alive("not json", time.time_ns())
    assert not alive("[1, 2]", time.time_ns())


def test_a_process_that_has_ended_is_gone_even_before_it_is_reaped() -> None:
    with subprocess.Popen([sys.executable, "-c", "pass"]) as child:
        time.sleep(0.2)
        assert not alive(_words(pid=child.pid, born="1"), time.time_ns())


def test_a_later_process_of_the_same_number_is_another_one() -> None:
    assert not alive(_words(born="1"), time.time_ns())


def test_a_machine_that_was_started_anew_holds_nothing_any_more() -> None:
    assert not alive(_words(boot="another boot"), time.time_ns())


def test_a_holder_elsewhere_is_known_by_its_heartbeat_alone() -> None:
    elsewhere = Holder("another-host", "b", "s", 1, "1").words()
    assert alive(elsewhere, time.time_ns())
    assert not alive(elsewhere, time.time_ns() - STALE_NS - 1)
    assert not alive(elsewhere, None)
