"""A small suite whose cases are marked by a scripted judge, for tests of judging within a run."""

import json
from pathlib import Path
from typing import Any

AGENTS = """
def speaker(brief, desk):
    say = brief.facts.get("say", "fine")
    if say == "decline":
        desk.decline("cannot be told")
        return None
    return {"answer": say, "ok": say != "broken"}
"""
JUDGES = '''
import json
import os
import re
import time


def marks_of(text):
    """The mark that the answer names (`mark 4`), else 4."""
    found = re.search(r"mark ([0-9.]+)", text)
    return float(found[1]) if found else 4.0


def scripted(messages):
    text = messages[-1]["content"]
    nonce = re.search(r"The nonce of this call is (\\w+)\\.", text)[1]
    with open(os.environ.get("JUDGE_LOG", os.devnull), "a") as log:
        log.write(json.dumps(text) + "\\n")
    time.sleep(float(os.environ.get("JUDGE_S", "0")))
    if "malformed" in text:
        return "I think it passes"
    mark = marks_of(text)
    return {
        "text": json.dumps({"nonce": nonce, "reason": "as scripted", "quality": mark, "pass": mark >= 3}),
        "input_tokens": 100, "output_tokens": 10, "usd": "0.001",
    }


def down(messages):
    from fairtrial.records.errors import ProviderOutage

    if os.environ.get("JUDGE_UP"):
        return scripted(messages)
    raise ProviderOutage("the judge is down")
'''
RUBRIC = 'dimensions: {quality: {weight: "1", asks: "Is it good?"}}\nscale: [1, 5]\npass: "3.0"\nevidence: [output]\n'


def make_judged(folder: Path, says: dict[str, str], *, must: list[Any] | None = None, trials: int = 1, **judge: Any) -> Path:
    """One case for each entry (id -> what the agent answers), held to a check by code and to the judge `quality`."""
    folder.mkdir(parents=True, exist_ok=True)
    checks = must if must is not None else [{"output": "ok", "equals": True}, {"judge": "quality"}]
    rows = [
        {"id": name, "task": f"say {name}", "facts": {"say": say}, "unknown_ok": say == "decline", "must": checks}
        for name, say in says.items()
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "agents.py").write_text(AGENTS, encoding="utf-8")
    (folder / "judging.py").write_text(JUDGES, encoding="utf-8")
    (folder / "rubric.yaml").write_text(RUBRIC, encoding="utf-8")
    form = {"model": "python:judging:scripted", "rubric": "rubric.yaml"} | judge
    suite = {
        "name": "judged",
        "cases": ["cases.jsonl"],
        "trials": trials,
        "setups": {"solo": {"agent": "agents:speaker"}},
        "judges": {"quality": form},
    }
    (folder / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    return folder
