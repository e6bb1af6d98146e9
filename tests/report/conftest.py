"""Made-up decided objects for the pages, and a way to draw a page as text."""

from __future__ import annotations

import io
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from fairtrial.records.chance import Attempts, Chain
from fairtrial.records.lift import AtBudget, Curve, Lift, LiftRow, Reach, Routing, Turn
from fairtrial.records.report import (
    CardCount,
    CaseReport,
    ChainLink,
    Comparison,
    Cost,
    Difference,
    Latency,
    Rate,
    RunReport,
    SetupReport,
    Shape,
    Streak,
    Subtasks,
    Tokens,
)
from fairtrial.report.sheet import Sheet
from fairtrial.report.terminal import console, draw
from fairtrial.study.chain import TEXTBOOK

Draw = Callable[..., str]


@pytest.fixture
def text_of() -> Draw:
    """The page as a pipe gets it, `width` columns wide."""

    def text(sheet: Sheet, width: int = 120) -> str:
        out = io.StringIO()
        draw(sheet, console(out, width))
        return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"

    return text


def _latency(mean: float, *, stated: bool) -> Latency:
    return Latency(mean=mean, p50=mean, p95=mean * 1.25, max=mean * 1.5, stated=stated, n=2)


def rate(value: float | None, **changes: Any) -> Rate:
    made = Rate(value=value, low=0.0945, high=0.9055, n=2, cases=2, method="Wilson on the effective sample size", worst=value, best=value)
    return msgspec.structs.replace(made, **changes)


def setup_report(**changes: Any) -> SetupReport:
    """One of two trials passed; everything else follows from nothing unusual."""
    made = SetupReport(
        planned=2, passed=1, fail=1, unknown=0, not_run=0, errors=0, declined=0, not_applicable=1, severe=0, severe_upper=0.7764,
        success_rate=rate(0.5), trial_success_rate=0.5,
        cards={"outcome": CardCount(passed=1, fail=1), "decision": CardCount(passed=2)},
        pass_at={"1": 0.5}, pass_hat={"1": 0.5}, first_try=0.5, all_trials=0.5, longest_streak=Streak(min=0, median=0.5, max=1),
        stability=None, shape=Shape(always=1, never=1), subtasks=Subtasks(),
        cost_usd=Cost(total=Decimal("0.06"), mean=Decimal("0.03"), per_success=Decimal("0.06"), complete=True, known=2),
        latency_ms=_latency(600, stated=True), measured_ms=_latency(1.5, stated=False),
        tokens=Tokens(input=None, output=None, complete=False),
        tool_calls=2, tool_call_accuracy=1.0, steps=4, retries=0, over_budget=0, handover_rate=0.0, recovery_rate=None,
        step_efficiency=None, chain=[], endings={"finished": 2}, failure_kinds={"fact_unused": 1}, slices={},
        reasons={"tokens": "no trial states its tokens", "recovery_rate": "no trial met a tool failure"},
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


@pytest.fixture
def make_setup() -> Callable[..., SetupReport]:
    return setup_report


@pytest.fixture
def make_rate() -> Callable[..., Rate]:
    return rate


def failed_check(**changes: Any) -> dict[str, Any]:
    made = {
        "attempt": 1,
        "check": "fact stockout_days used",
        "card": "outcome",
        "severity": "major",
        "kind": "fact_unused",
        "why": "the answer does not rest on stockout_days",
        "evidence": {"span": "5", "path": "output.demand", "expected": "unknown", "seen": 20},
        "fix": "have the deciding role state what follows from the fact before it decides",
    }
    return {**made, **changes}


@pytest.fixture
def make_failed() -> Callable[..., dict[str, Any]]:
    return failed_check


@pytest.fixture
def make_report() -> Callable[..., RunReport]:
    """A run of one setup and two cases, one of which failed."""

    def make(**changes: Any) -> RunReport:
        made = RunReport(
            run="r7f3",
            status="complete",
            suite={"name": "stockout", "version": "sha256:1f2e3d4c5b6a79881234"},
            manifest={"seed": 7, "setups": {}},
            fairness={"fair": True, "differences": []},
            setups={"single": setup_report()},
            cases=[
                CaseReport(id="stockout-hidden-demand", setup="single", verdicts=["FAIL"], failed=[failed_check()], unknown=[]),
                CaseReport(id="ordinary-week", setup="single", verdicts=["PASS"], failed=[], unknown=[]),
            ],
        )
        return msgspec.structs.replace(made, **changes)

    return make


CHAIN = Chain(
    n=10, unknown=1, cases=2, joint=rate(0.9, low=0.6, high=0.98), product=0.9, product_low=0.7, product_high=1.0, beyond=0.0,
    beyond_low=-0.1, beyond_high=0.1, method="t",
    says="all 2 hand-offs held together in 90 % of 10 trials; their product is 90 %, which is what links that fail "
    "independently would give; the two cannot be told apart here (0 points, 95 % interval -10 to +10)",
    textbook=TEXTBOOK,
)  # fmt: skip
ATTEMPTS = Attempts(
    k=3, rate=0.8, pass_at=1.0, pass_hat=0.65, line_at=0.992, line_hat=0.512, beyond=0.138, beyond_low=0.02, beyond_high=0.3, method="t",
    says="all of 3 attempts pass in 65 % as counted; independent attempts at 80 % would in 51.2 %; cases differ, for some pass nearly "
    "always and others hardly ever (+13.8 points, 95 % interval +2 to +30)",
)  # fmt: skip


@pytest.fixture
def team_setup() -> SetupReport:
    """A team tried five times a case, with every figure there."""
    return setup_report(
        planned=10, passed=8, fail=1, unknown=1, errors=1, declined=2, severe=1, severe_upper=0.9747,
        success_rate=rate(0.8, low=0.46, high=0.95, n=10, worst=0.8, best=0.9),
        cards={name: CardCount(passed=8, fail=1, unknown=1) for name in ("outcome", "coordination", "decision", "safety")},
        pass_at={"1": 0.8, "5": 1.0}, pass_hat={"1": 0.8, "5": 0.5}, first_try=1.0, longest_streak=Streak(min=3, median=4, max=5),
        stability=0.6, shape=Shape(always=1, sometimes=1), subtasks=Subtasks(rate=0.75, by_id={"sees-shortage": 0.75}),
        cost_usd=Cost(total=Decimal("0.90"), mean=None, per_success=None, complete=False, known=9),
        latency_ms=_latency(1600, stated=False), tokens=Tokens(input=12000, output=900, complete=True), recovery_rate=0.5,
        chain=[ChainLink(handoff="coo->ceo", kept=0.9, n=10), ChainLink(handoff="cfo->ceo", kept=1.0, n=10, unknown=1)],
        chain_product=0.9, chain_joint=0.9, chain_whole=CHAIN, attempts=ATTEMPTS,
        endings={"finished": 9, "worker_lost": 1}, failure_kinds={"handoff_loss": 1},
        slices={"tag": {"stockout": rate(0.6)}, "risk": {"high": rate(None, low=None, high=None, n=0, cases=0)}},
        reasons={"cost_usd.total": "at least: the cost is fully known for 9 of 10 run trials",
                 "cost_usd.mean": "the cost is fully known for 9 of 10 run trials"},
    )  # fmt: skip


COMPARABLE = {
    "same": ["suite"],
    "differs": ["prompt"],
    "unknown": ["model"],
    "values": {"prompt": {"base": "p12", "new": "p13"}, "model": {"base": None, "new": "m-1"}},
}


@pytest.fixture
def make_comparison() -> Callable[..., Comparison]:
    def make(**changes: Any) -> Comparison:
        side = {"mean": 600.0, "p50": 600.0}
        unmoved = {"difference": None}
        moved = {"value": 500.0, "low": 100.0, "high": 900.0, "method": "t", "n": 50}
        made = Comparison(
            base="r1:single", new="r1:team", comparable=COMPARABLE, pairs=50,
            fixed=["a", "b"], broken=["c"], improved=[], declined=[], unchanged_pass=40, unchanged_fail=7, unknown=[], new_severe=[],
            difference=Difference(value=0.02, low=-0.05, high=0.09, method="t over cases", n=50), p_value=0.5078,
            test="sign-flip permutation over cases", mcnemar={"fixed": 2, "broken": 1, "p_value": 1.0}, detectable=0.14,
            cost={"base": {"mean": Decimal("0.03")}, "new": {"mean": None}, **unmoved, "reason": "the cost of new is not fully known"},
            latency={"base": side, "new": {"mean": 1100.0}, "difference": moved, "reason": None},
            tool_calls={"base": {"mean": 2.0}, "new": {"mean": 5.5}, "difference": {**moved, "value": 3.5, "low": None}, "reason": None},
            tokens={"base": {"mean": {"input": 10.0, "output": 2.0}}, "new": {"mean": None}, "difference": None},
            verdict="cannot_tell", says="50 cases cannot tell the two apart.",
        )  # fmt: skip
        return msgspec.structs.replace(made, **changes)

    return make


@pytest.fixture
def lift() -> Lift:
    row = LiftRow(
        setup="single", kind="single", planned=2, passed=1, success_rate=rate(0.5), cost_mean=Decimal("0.03"),
        cost_per_success=Decimal("0.06"), cost_complete=True, latency_mean_ms=600.0, latency_p95_ms=600.0, severe=0, unknown=0,
        latency_p50_ms=600.0, severe_upper=0.7764, cost_per_success_low=Decimal("0.05"),
    )  # fmt: skip
    team = {"setup": "team", "kind": "team", "passed": 2, "success_rate": rate(1.0, high=1.0)}
    dear = {"cost_mean": Decimal("0.09"), "cost_per_success": Decimal("0.09"), "latency_mean_ms": 1600.0, "latency_p95_ms": 1700.0}
    pair = {"versus": "retry", "team": "team", "p_value": 1.0, "verdict": "cannot_tell"}
    nothing = {"value": 0.0, "low": None, "high": None}
    part = {"label": "tag", "value": "easy", "pairs": 1, "difference": nothing, "verdict": "cannot_tell"}
    return Lift(
        run="r7f3",
        rows=[row, msgspec.structs.replace(row, setup="retry", kind="retry", passed=2), msgspec.structs.replace(row, **team, **dear)],
        differences=[
            {**pair, "difference": {"value": 0.0, "low": -0.7, "high": 0.7}, "cost": {"value": Decimal("0.06")}, "latency_ms": None}
        ],
        fairness={"fair": True, "differences": []},
        verdict="does_not_beat",
        says="On these cases the team does not beat the cheaper retry.",
        next="Add cases that need several roles, or take the retry.",
        slices=[{**part, "cost_rival": Decimal("0.03"), "cost_team": Decimal("0.09"), "take": "retry", "setups": {"team": row}}],
        advice="take_rival",
        team="team",
        judged="it is the only team",
        rival="retry",
        margin=0.05,
        curve=_curve(),
        routing=Routing(state="none", why="no rule was found that held on cases not used to choose it", cases=50, clusters=50),
    )


def _curve() -> Curve:
    def reach(passed: int, unknown: int = 0) -> Reach:
        return Reach(passed=passed, planned=2, unknown=unknown, value=passed / 2, low=0.0, high=1.0, best=1.0)

    moved = Difference(value=-0.5, low=-0.9, high=0.1, method="t", n=2)
    budgets = [
        AtBudget(budget=Decimal("0.03"), setups={"retry": reach(1), "team": reach(0, 1)}, difference=moved),
        AtBudget(
            budget=Decimal("0.09"), setups={"retry": reach(1), "team": reach(2)}, difference=msgspec.structs.replace(moved, value=0.5)
        ),
    ]
    turns = [Turn(budget=Decimal("0.03"), ahead="retry"), Turn(budget=Decimal("0.085"), ahead="team")]
    return Curve(measure="usd", cases=2, budgets=budgets, turns=turns)
