"""A diagnosis of real runs: the teams of the stock-out example that fail in one way each, and results without a trace."""

from pathlib import Path

import pytest

from fairtrial import workflow
from fairtrial.records.diagnosis import Diagnosis
from fairtrial.records.errors import InputError
from fairtrial.steps.options import RunOptions

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
EXPECTED = {
    "lossy": ("handoff_loss", "coo", "handoff coo->ceo"),
    "uplift-twice": ("double_adjustment", "ceo", "adjustment promo_uplift"),
    "open-conflict": ("open_conflict", "ceo", "conflict order_size"),
    "unanimous": ("over_resource", "ceo", "answer"),
    "orders-unasked": ("unsafe_act", "ceo", "tool place_order"),
}
"""Setup -> the kind, who, and the act of the first thing that goes wrong in it."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Diagnosis:
    store = str(tmp_path_factory.mktemp("diagnosis") / "store.db")
    workflow.run(str(EXAMPLES / "stockout" / "teams.yaml"), RunOptions(store=store, isolate="shared"))
    return workflow.diagnose(store, "last")


@pytest.mark.parametrize("setup", EXPECTED)
def test_each_planted_fault_is_found_where_it_lies(found: Diagnosis, setup: str) -> None:
    groups = [group for group in found.groups if group.setup == setup]
    assert groups
    assert {(group.kind, group.place.agent, group.place.at) for group in groups} == {EXPECTED[setup]}
    assert all(group.place.decidable for group in groups)


def test_the_team_that_is_sound_is_in_no_group(found: Diagnosis) -> None:
    assert "sound" not in {group.setup for group in found.groups}


def test_a_table_from_elsewhere_has_kinds_but_no_places(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("case,setup,trial,passed,ending\na,v1,1,false,\nb,v1,1,,timeout\nc,v1,1,true,\n", "utf-8")
    store = str(tmp_path / "store.db")
    workflow.import_runs(store, "csv", [str(table)])
    told = workflow.diagnose(store, "last:v1")
    assert told.undecidable == told.failed == 2
    assert [line.kind for line in told.kinds] == ["timeout", None]
    assert (told.kinds[1].mend, told.kinds[1].cause, told.ours, told.traced) == ("", "", False, False)
    assert "kind not known: the table does not say: 1 failed trial" in told.notes
    assert [card.mend for card in told.cards] == [""]
    with pytest.raises(InputError, match="no such setup"):
        workflow.diagnose(store, "last:v2")
