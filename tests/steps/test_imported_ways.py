"""A run that was imported is looked at like one that was run here: its findings and its failures of tools stand in its report."""

import json
from pathlib import Path

from tests.steps.project import fairtrial


def test_findings_and_failures_of_an_imported_run_are_in_its_report(tmp_path: Path) -> None:
    def call(number: int, name: str, args: dict[str, int]) -> dict[str, object]:
        function = {"name": name, "arguments": json.dumps(args)}
        return {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}]}

    def answer(number: int, name: str, content: str) -> dict[str, object]:
        return {"role": "tool", "tool_call_id": f"c{number}", "name": name, "content": content}

    traj = [
        {"role": "user", "content": "Where is it?"},
        *(call(1, "get_order", {"id": 9}), answer(1, "get_order", "Error: order not found")),
        *(call(2, "get_order", {"id": 1}), answer(2, "get_order", '{"status": "on its way"}')),
        *(call(3, "get_order", {"id": 1}), answer(3, "get_order", '{"status": "on its way"}')),
        {"role": "assistant", "content": "It is on its way."},
    ]
    run = {"task_id": 1, "trial": 0, "reward": 1.0, "info": {"task": {}, "reward_info": {"reward": 1.0, "info": {}}}, "traj": traj}
    (tmp_path / "runs.json").write_text(json.dumps([run]), encoding="utf-8")
    done = fairtrial("import", "tau", "runs.json", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(fairtrial("show", "last", "--json", folder=tmp_path).stdout)["setups"]["agent"]
    assert found["process"] == {"useless_repeat": {"trials": 1, "times": 1}}
    assert (found["pass"], found["recovery_rate"], found["recoveries"]["other_path"]) == (1, 1.0, 1)
    shown = json.loads(fairtrial("show", "last", "1", "1", "--json", folder=tmp_path).stdout)
    (remark,) = shown["process"]
    spans = {span["id"]: span for span in shown["spans"]}
    assert [spans[span]["attributes"]["args"] for span in remark["spans"]] == [{"id": 1}, {"id": 1}]
