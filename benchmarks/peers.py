"""The workload of `baseline.py` in other tools that are installed: what a trial costs there. None of them is a dependency.

Each runs the same agent, check and rule in the plain way of its own guide, without a model, ten at once, and keeps what it keeps
by itself: Inspect AI a log with an event for each tool call; pydantic-evals a report, written as JSON at the end, without a
trace. Run as `python -m benchmarks.peers NAME TRIALS`; it prints the CPU seconds, imports left out.
"""

import asyncio
import copy
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.baseline import END, START, TOOLS, agent, check, cpu_seconds

Note = Callable[[dict[str, Any]], None]


async def act(note: Note) -> dict[str, Any]:
    """The agent in a fresh world, each call told to `note`; its answer and the end state."""
    world = copy.deepcopy(START)

    async def call(tool: str, **arguments: Any) -> Any:
        result = await TOOLS[tool](world, **arguments)
        note({"tool": tool, "arguments": arguments, "result": result})
        return result

    return {"answer": await agent(call), "state": world}


def pydantic_evals(trials: int, folder: Path) -> int:
    """A dataset of `trials` cases with two evaluators; how many passed both."""
    evals, judge = import_module("pydantic_evals"), import_module("pydantic_evals.evaluators").Evaluator
    written = import_module("pydantic_evals.reporting").EvaluationReportAdapter

    async def task(_inputs: str) -> dict[str, Any]:
        return await act(lambda _: None)

    end = type("EndState", (judge,), {"evaluate": lambda _, seen: seen.output["state"] == END})
    rule = type("Rule", (judge,), {"evaluate": lambda _, seen: seen.output["answer"]["sold"] <= seen.output["answer"]["before"]})
    cases = [evals.Case(name=f"c{number}", inputs=f"sell three, {number}") for number in range(trials)]
    dataset = evals.Dataset(name="bench", cases=cases, evaluators=[end(), rule()])
    report = asyncio.run(dataset.evaluate(task, max_concurrency=10, progress=False))
    (folder / "report.json").write_bytes(written.dump_json(report))
    return sum(len(case.assertions) == 2 and all(result.value for result in case.assertions.values()) for case in report.cases)


def inspect_ai(trials: int, folder: Path) -> int:
    """A task of `trials` samples; how many were scored as correct."""
    inspect, scorers = import_module("inspect_ai"), import_module("inspect_ai.scorer")
    solvers, log = import_module("inspect_ai.solver"), import_module("inspect_ai.log")

    async def solve(state: Any, _generate: Any) -> Any:
        state.metadata |= await act(log.transcript().info)
        return state

    async def score(state: Any, _target: Any) -> Any:
        return scorers.Score(value="C" if check(state.metadata["answer"], state.metadata["state"]) else "I")

    solver = solvers.solver("workload")(lambda: solve)()
    scorer = scorers.scorer(metrics=[scorers.accuracy()], name="workload")(lambda: score)()
    samples = [import_module("inspect_ai.dataset").Sample(input=f"sell three, {number}") for number in range(trials)]
    task = inspect.Task(dataset=samples, solver=solver, scorer=scorer)
    done = inspect.eval(task, model="mockllm/model", log_dir=str(folder), display="none", max_samples=10)[0]
    return sum(score.value == "C" for sample in done.samples for score in sample.scores.values())


PEERS: dict[str, Callable[[int, Path], int]] = {"pydantic_evals": pydantic_evals, "inspect_ai": inspect_ai}

if __name__ == "__main__":
    peer, wanted = sys.argv[1], int(sys.argv[2])
    import_module(peer)
    with tempfile.TemporaryDirectory() as made:
        begun = cpu_seconds()
        passed = PEERS[peer](wanted, Path(made))
        print(cpu_seconds() - begun)
    sys.exit(passed != wanted and f"{passed} of {wanted} passed")
