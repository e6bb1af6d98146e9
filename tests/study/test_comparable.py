"""What was held equal between two sides, and what may differ."""

from decimal import Decimal
from typing import Any

import pytest

from fairtrial.records.budget import Budget
from fairtrial.records.dialogue import Dialogue
from fairtrial.records.errors import InputError
from fairtrial.records.report import Comparison
from fairtrial.records.setup import RoleSeat, Seat
from fairtrial.study.comparison import compare
from fairtrial.study.table import Table
from tests.study.tables import one, table


def run(name: str, entry: dict[str, Any] | None = None, **manifest: Any) -> Table:
    fields = {"model": "m-1", "prompt": "p1", "tools": "sha256:t", "start_state": "sha256:s", "budget": {"usd": "0.12"}}
    return one({"a": "P", "b": "F"}, run=name, setups={"solo": {**fields, **(entry or {})}}, **manifest)


def lay(entry: dict[str, Any] | None = None, vary: tuple[str, ...] | None = None, **manifest: Any) -> Comparison:
    sides = run("r1"), "solo", run("r2", entry, **manifest), "solo"
    return compare(*sides) if vary is None else compare(*sides, vary=vary)


def test_another_model_or_prompt_is_what_a_comparison_is_about() -> None:
    found = lay({"model": "m-2", "prompt": "p2"})
    assert found.comparable["differs"] == ["model", "prompt"]
    assert found.comparable["values"]["model"] == {"base": "m-1", "new": "m-2"}
    assert "tools" in found.comparable["same"]
    assert found.verdict == "cannot_tell"


@pytest.mark.parametrize(
    ("field", "value"), [("tools", "sha256:u"), ("start_state", "sha256:v"), ("budget", {"usd": "0.24"}), ("rights", "all")]
)
def test_another_difference_makes_it_invalid_until_it_is_named(field: str, value: Any) -> None:
    both = run("r1", {"rights": "none"}), "solo", run("r2", {"rights": "none", field: value}), "solo"
    found = compare(*both)
    assert found.verdict == "invalid"
    assert field in found.comparable["differs"]
    assert f"differ in what was to be held equal: {field}:" in found.says
    assert compare(*both, vary=("model", field)).verdict == "cannot_tell"


def test_another_grader_makes_it_invalid() -> None:
    found = lay(grader="g2")
    assert found.verdict == "invalid"
    assert found.comparable["refused"] == ["grader: g1 in solo; g2 in solo"]


def test_a_narrower_vary_forbids_what_the_default_allows() -> None:
    assert lay({"prompt": "p2"}, vary=("model",)).verdict == "invalid"


@pytest.mark.parametrize("entry", [{"tools": None}, {"model": "unknown"}, {"prompt": ""}])
def test_an_unknown_field_is_shown_and_forbids_nothing(entry: dict[str, Any]) -> None:
    found = lay(entry)
    (field,) = entry
    assert field in found.comparable["unknown"]
    assert found.comparable["values"][field]["new"] is None
    assert found.verdict == "cannot_tell"


@pytest.mark.parametrize(
    ("name", "value"), [("seed", 8), ("environment", {"os": "y"}), ("suite_version", "sha256:2"), ("suite", "t"), ("harness", "0.2.0")]
)
def test_seed_machine_and_suite_are_listed_only(name: str, value: Any) -> None:
    found = lay(**{name: value})
    assert found.comparable["differs"] == ["program" if name == "harness" else name]
    assert found.verdict == "cannot_tell"


def test_other_code_is_listed_and_forbids_nothing_and_code_that_one_side_does_not_tell_is_unknown() -> None:
    runs = [run(f"r{place}", settings={"code": code} if code else {}) for place, code in enumerate(("a1", "b2", ""))]
    apart, untold = (compare(runs[0], "solo", other, "solo", vary=("model",)) for other in runs[1:])
    assert apart.comparable["differs"] == ["code"]
    assert apart.comparable["values"]["code"] == {"base": "a1", "new": "b2"}
    assert "code" in untold.comparable["unknown"]
    assert "code" in compare(runs[0], "solo", runs[0], "solo").comparable["same"]
    assert {apart.verdict, untold.verdict} == {"cannot_tell"}


@pytest.mark.parametrize("name", ["context", "memory", "retrieval"])
def test_every_declared_version_falls_under_versions(name: str) -> None:
    both = run("r1", {"versions": {name: "1"}}), "solo", run("r2", {"versions": {name: "2"}}), "solo"
    assert compare(*both).verdict == "cannot_tell"
    assert compare(*both, vary=("model",)).verdict == "invalid"


def test_a_field_that_does_not_exist_names_the_nearest() -> None:
    with pytest.raises(InputError, match="no such field to vary") as error:
        lay(vary=("modle",))
    assert error.value.mend == "did you mean 'model'?"


def seats(**team: Any) -> tuple[Seat, Seat]:
    budget = Budget(usd=Decimal("0.12"))
    single = Seat(setup="single", tools={"read": "1"}, budget=budget)
    roles = (RoleSeat(name="coo"), RoleSeat(name="ceo"))
    return single, Seat(**{"setup": "team", "roles": roles, "lead": "ceo", "tools": {"read": "1"}, "budget": budget, **team})


def both_setups(**manifest: Any) -> Table:
    return table({"single": {"a": "P"}, "team": {"a": "P"}}, **manifest)


def test_what_was_really_given_counts_and_not_what_the_manifest_says() -> None:
    entries = {"single": {"tools": "sha256:1"}, "team": {"tools": "sha256:2"}}
    made = both_setups(seats=seats(), setups=entries)
    found = compare(made, "single", made, "team")
    assert "tools" in found.comparable["same"]
    assert found.verdict == "cannot_tell"


def test_setups_with_different_tools_are_refused_and_the_difference_is_named() -> None:
    made = both_setups(seats=seats(tools={"read": "1", "order": "2"}))
    found = compare(made, "single", made, "team")
    assert found.verdict == "invalid"
    assert found.comparable["refused"] == ["tools: [single] does not have order; [team] has order (2)"]
    assert found.comparable["refused"][0] in found.says


def test_an_unfair_match_that_the_user_allowed_goes_on_and_says_so() -> None:
    made = both_setups(seats=seats(budget=Budget(usd=Decimal("0.24"))), settings={"allow_unfair": True})
    found = compare(made, "single", made, "team")
    assert found.verdict == "cannot_tell"
    assert "the match is unfair and was carried on request (budget: [single] has usd (0.12); [team] has usd (0.24))" in found.says


def test_what_the_audit_found_when_planning_still_counts_when_reading() -> None:
    told = "facts: [single] sees stockout_days; [team] does not see stockout_days"
    made = both_setups(seats=seats(), fair=False, differences=(told,))
    assert compare(made, "single", made, "team").comparable["refused"] == [told]
    assert compare(made, "single", made, "single").comparable["refused"] == []


def test_two_runs_of_one_setup_are_called_base_and_new() -> None:
    runs = [one({"a": "P"}, run=name, seats=(Seat(setup="solo", tools=tools),)) for name, tools in (("r1", {}), ("r2", {"x": "1"}))]
    found = compare(runs[0], None, runs[1], None)
    assert found.comparable["refused"] == ["tools: [base] does not have x; [new] has x (1)"]


def test_runs_of_different_cases_are_not_told_apart_by_what_is_hashed_over_all_of_them() -> None:
    base = one({"a": "P", "b": "F"}, run="r1", setups={"solo": {"start_state": "sha256:ab"}})
    new = one({"a": "P"}, run="r2", setups={"solo": {"start_state": "sha256:a"}})
    found = compare(base, None, new, None)
    assert "start_state" in found.comparable["unknown"]
    assert (found.verdict, found.only_base) == ("cannot_tell", ["b"])


def test_other_graders_are_not_hidden_by_a_case_more() -> None:
    found = compare(one({"a": "P", "b": "F"}, run="r1", grader="g1"), None, one({"a": "P"}, run="r2", grader="g2"), None)
    assert found.verdict == "invalid"
    assert found.next == "grade both runs again with the same graders (fairtrial grade), or declare the difference with --vary grader"


def started(**worlds: str) -> Table:
    """One case a name, its trials starting from the worlds named by the letters."""
    return one(
        {case: "P" * len(names) for case, names in worlds.items()},
        lambda trial, graded: setattr(trial, "start_state", worlds[trial.key.case][trial.key.attempt - 1]),
        run="".join(worlds.values()),
    )


def test_a_shared_case_that_started_from_another_world_makes_it_invalid() -> None:
    found = compare(started(a="xx", b="yy"), None, started(a="xx", b="zz"), None)
    assert found.verdict == "invalid"
    assert found.comparable["refused"] == ["start_state: 1 of 2 shared cases started from another world (b)"]
    same = compare(started(a="xx", b="yy"), None, started(a="x", b="yyy"), None)
    assert "start_state" in same.comparable["same"]


def test_a_case_that_never_starts_alike_tells_nothing_of_the_sides() -> None:
    found = compare(started(a="xy"), None, started(a="zx"), None)
    assert "start_state" in found.comparable["unknown"]
    assert found.verdict == "cannot_tell"


def test_the_graders_on_the_scorecards_count_and_not_the_ones_the_run_began_with() -> None:
    regraded = one({"a": "P"}, lambda trial, graded: setattr(graded, "grader", "g2"), run="r1", grader="g1")
    assert compare(regraded, None, one({"a": "P"}, run="r2", grader="g2"), None).verdict == "cannot_tell"
    assert compare(regraded, None, one({"a": "P"}, run="r2", grader="g1"), None).verdict == "invalid"


def test_another_isolation_makes_it_invalid_until_it_is_named() -> None:
    both = run("r1", settings={"isolate": "fork"}), "solo", run("r2", settings={"isolate": "shared"}), "solo"
    found = compare(*both)
    assert found.comparable["refused"] == ["isolation: fork in solo; shared in solo"]
    assert found.next == "hold isolation equal and run again, or declare the difference with --vary isolation"
    assert compare(*both, vary=("isolation",)).verdict == "cannot_tell"
    assert "isolation" in lay().comparable["unknown"]


def played(run_id: str, *models: str) -> Table:
    """A case a model that plays its user."""

    def change(trial: Any, graded: Any) -> None:
        trial.dialogue = Dialogue(ended="user_ended", model=models[int(trial.key.case[1:])])

    return one({f"c{place}": "P" for place in range(len(models))}, change, run=run_id)


def test_another_simulated_user_makes_it_invalid_and_only_where_a_shared_case_has_one() -> None:
    found = compare(played("r1", "m-1", ""), None, played("r2", "m-2", ""), None)
    assert found.comparable["refused"] == ["simulator: 1 of 2 shared cases had their user played by another (c0)"]
    assert found.comparable["values"]["simulator"] == {"base": "a script, m-1", "new": "a script, m-2"}
    assert compare(played("r1", "m-1", ""), None, played("r2", "m-1", "", "m-9"), None).comparable["refused"] == []
    assert "simulator" in lay().comparable["same"]


def test_a_setup_made_otherwise_under_its_old_name_is_shown_and_allowed() -> None:
    found = lay({"agent": "agents:other", "retry": {"attempts": 3}})
    assert "agent" in found.comparable["unknown"]
    both = run("r1", {"agent": "agents:one"}), "solo", run("r2", {"agent": "agents:one", "retry": {"attempts": 3}}), "solo"
    assert "agent" in compare(*both).comparable["differs"]
    assert compare(*both).verdict == "cannot_tell"
    assert compare(*both, vary=("model",)).verdict == "invalid"


def test_attempts_pair_by_seed_where_both_sides_ran_with_the_same() -> None:
    assert lay().comparable["paired_by"] == ["case", "seed"]
    assert lay(seed=8).comparable["paired_by"] == ["case"]
    assert lay(origin="import:csv").comparable["paired_by"] == ["case"]
    assert "attempts of a case had the same seed on both sides, so they pair as well" in lay().notes


def test_other_machines_are_told_beside_the_figures() -> None:
    (note,) = [told for told in lay(environment={"os": "y"}).notes if "machines" in told]
    assert note == "the sides ran on different machines (os x → y), which alone can move a result"


def test_who_graded_a_table_from_elsewhere_is_not_known() -> None:
    found = lay(grader="import")
    assert "grader" in found.comparable["unknown"]
    assert found.verdict == "cannot_tell"
