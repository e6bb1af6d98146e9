"""Simulated users of recorded dialogues against what they were told: few are found to make something up, and few wrongly."""

import re
from pathlib import Path

from fairtrial.records.strictjson import loads
from fairtrial.records.text import read_text
from fairtrial.worlds.claims import invented
from tests.real.tau2_replay import recorded_words


def test_of_recorded_users_few_are_taken_to_make_things_up(shared: Path) -> None:
    said, found = 0, []
    for file in sorted((shared / "data" / "tau2_versions" / "runs").glob("*.json")):
        run = loads(read_text(file))
        told = {task["id"]: task.get("user_scenario") for task in run["tasks"]}
        for simulation in run["simulations"][::4]:
            known = [told[simulation["task_id"]]]
            for message in simulation["messages"]:
                if message["role"] == "user" and message["content"] and len(known) > 2:
                    said += 1
                    made_up = invented(recorded_words(message["content"]), known)
                    found += [] if made_up is None else [made_up]
                if message["role"] in ("user", "assistant") and message["content"]:
                    known.append(message["content"])
    assert said > 100 and len(found) <= 0.02 * said
    ids = [one for one in found if re.fullmatch(r"[a-z]*[0-9]{4,}", one)]
    assert ids, "some of these users are known to have made up an order"
