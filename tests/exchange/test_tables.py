"""Tables of results: read strictly, refused row by row with the reason, never more or fewer trials than the table has."""

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.exchange.formats import Imported, exporter, importer
from fairtrial.exchange.tablecolumns import columns_of
from fairtrial.exchange.tablefile import split_cells
from fairtrial.records.errors import InputError
from fairtrial.records.grade import Scorecard
from fairtrial.records.report import RunReport
from fairtrial.records.trial import Ending, Trial
from fairtrial.records.verdict import Verdict

Got = list[tuple[Trial, Scorecard]]
EMPTY = RunReport(run="r-1", status="complete", suite={"name": "s"}, manifest={}, fairness={}, setups={}, cases=[])


@pytest.fixture
def table(tmp_path: Path) -> Any:
    """Reads a table from text: CSV, or JSONL where it is a list of objects."""

    def read(content: str | list[Any], **options: Any) -> tuple[Imported, Got]:
        form = "csv" if isinstance(content, str) else "jsonl"
        file = tmp_path / f"results.{form}"
        text = content if isinstance(content, str) else "".join(json.dumps(row) + "\n" for row in content)
        file.write_bytes(text.encode())
        found = importer(form)(str(file), **options)
        return found, list(found.trials)

    return read


def _planned(found: Imported) -> int:
    return sum(plan.attempts for plan in found.manifest.planned)


def test_every_column_is_read(table: Any) -> None:
    found, ((trial, card),) = table(
        "case,setup,trial,passed,cost_usd,latency_ms,input_tokens,output_tokens,ending,cluster,tag:library,tag:lang,tag:new\n"
        "c1,team,3,true,0.0125,1500.5,900,120,finished,user-7,regression,zh,true\n"
    )
    head = trial.head
    assert (head.key.case, head.key.setup, head.key.attempt, card.verdict, head.imported) == ("c1", "team", 3, "PASS", "PASS")
    assert (head.spend.usd, head.spend.usd_complete, head.wall_ms, head.stated_ms) == (Decimal("0.0125"), True, 1500.5, None)
    assert (head.spend.input_tokens, head.spend.output_tokens, head.spend.tokens_complete) == (900, 120, True)
    (case,) = found.manifest.cases
    assert (case.cluster, case.labels.library, case.labels.tags) == ("user-7", "regression", ("lang:zh", "new"))
    assert (_planned(found), found.rows, found.refused, found.manifest.origin) == (3, 1, [], "import:csv")


def test_true_and_false_may_be_written_as_spreadsheets_and_data_frames_write_them(table: Any) -> None:
    _, trials = table("case,passed\nc1,True\nc2,FALSE\nc3,TRUE\nc4,False\n")
    assert [str(card.verdict) for _, card in trials] == ["PASS", "FAIL", "PASS", "FAIL"]


def test_what_is_not_stated_is_unknown_and_never_nothing(table: Any) -> None:
    _, trials = table("case,passed,cost_usd,input_tokens\nc1,,,\nc2,false,0,0\n")
    one, two = (trial.head.spend for trial, _ in trials)
    assert (one.usd, one.usd_complete, one.input_tokens) == (None, False, None)
    assert (two.usd, two.usd_complete, two.input_tokens, two.tokens_complete) == (Decimal(0), True, 0, False)
    assert [card.verdict for _, card in trials] == [Verdict.UNKNOWN, Verdict.FAIL]
    assert [trial.head.imported for trial, _ in trials] == [None, Verdict.FAIL]


@pytest.mark.parametrize(
    ("ending", "verdict"),
    [
        ("timeout", "FAIL"),
        ("agent_error", "FAIL"),
        ("over_budget", "FAIL"),
        ("empty", "FAIL"),
        ("harness_error", "UNKNOWN"),
        ("", "UNKNOWN"),
    ],
)
def test_an_empty_verdict_is_unknown_unless_the_ending_says_whose_fault_it_was(table: Any, ending: str, verdict: str) -> None:
    _, ((trial, card),) = table(f"case,passed,ending\nc1,,{ending}\n")
    assert card.verdict == verdict
    assert trial.head.ending == (ending or "finished")


def test_mixed_outcomes_keep_their_denominator(table: Any, shared: Path) -> None:
    lines = (shared / "known-faults" / "inputs" / "M06_mixed_outcomes.jsonl").read_text(encoding="utf-8").splitlines()
    rows = []
    for raw in map(json.loads, lines):
        score = raw["score"]
        row = {"case": raw["case"], "trial": raw["trial"], "passed": raw["passed"]}
        if raw["status"] == "error":
            row["ending"] = "harness_error"
        elif score is not None and score not in (0.0, 1.0):  # the score itself, where it is out of range or text
            row["passed"] = score
        rows.append(row)
    found, trials = table(rows)
    assert Counter(card.verdict for _, card in trials) == {Verdict.PASS: 4, Verdict.FAIL: 1, Verdict.UNKNOWN: 3}
    assert Counter(trial.head.ending for trial, _ in trials)[Ending.HARNESS_ERROR] == 2
    assert _planned(found) == 10
    assert [(refusal.line, "is not true, false or empty" in refusal.why) for refusal in found.refused] == [(9, True), (10, True)]
    passed, run = 4, len(trials)
    assert (passed / 10, (passed + 3 + (10 - run)) / 10) == (0.4, 0.9)


def test_rows_of_one_trial_are_never_two_trials(table: Any, shared: Path) -> None:
    rows = []
    for line in (shared / "known-faults" / "inputs" / "R09_duplicate_rows.jsonl").read_text(encoding="utf-8").splitlines():
        raw = json.loads(line)
        rows.append(
            {
                "case": raw["case"],
                "trial": raw["trial"],
                "passed": raw["passed"],
                "ending": "finished" if raw["passed"] else "harness_error",
            }
        )
    found, trials = table(rows)
    assert [(trial.head.key.attempt, card.verdict.value, trial.head.tries) for trial, card in trials] == [(1, "PASS", 2), (2, "PASS", 1)]
    assert [head.ending for head in found.tries] == [Ending.HARNESS_ERROR]
    assert (found.rows, _planned(found), found.refused) == (3, 2, [])


def test_a_second_row_for_a_decided_trial_is_refused(table: Any) -> None:
    found, trials = table("case,trial,passed\nc1,1,false\nc1,1,true\nc1,2,true\n")
    assert [card.verdict.value for _, card in trials] == ["FAIL", "PASS"]
    assert [(refusal.line, refusal.why) for refusal in found.refused] == [(3, "c1, imported, trial 1 stands on line 2 already")]


def test_refused_rows_that_no_planned_trial_stands_for_are_told_of_by_the_run(table: Any) -> None:
    rows = "case,trial,passed\nc1,1,true\nc1,1,true\nc1,2,maybe\n"
    found, _ = table(rows)
    assert len(found.refused) == 2 and not found.manifest.notes and not found.manifest.settings
    found, _ = table(f"{rows}c1,1,false\n,3,false\nc1,4,false,x\n")
    assert found.manifest.settings == {"unheard": 3}
    assert [note[-24:] for note in found.manifest.notes] == ["another row: 3 (line 5, 6, 7)"[-24:]]


def test_a_torn_or_broken_line_takes_no_neighbour_with_it(table: Any, shared: Path, tmp_path: Path) -> None:
    found, trials = table('case,trial,passed\nc1,1,true\n"c2,2,true\nc3,1,true\nc4,1\nc5,1,true,x\nc"6,1,true\nc7,1,false\n')
    assert [trial.head.key.case for trial, _ in trials] == ["c1", "c3", "c7"]
    assert [refusal.line for refusal in found.refused] == [3, 5, 6, 7]
    whys = [refusal.why for refusal in found.refused]
    assert "quote" in whys[0] and whys[1] == "2 cells, but the header has 3 columns" and "4 cells" in whys[2]
    lines = (shared / "known-faults" / "inputs" / "R08_partial_run.jsonl").read_text(encoding="utf-8").split("\n")
    kept = [{name: value for name, value in json.loads(line).items() if name in {"case", "trial", "passed"}} for line in lines[:3]]
    file = tmp_path / "torn.jsonl"
    file.write_text("\n".join([*map(json.dumps, kept), lines[3]]), encoding="utf-8")
    torn = importer("jsonl")(str(file))
    assert len(list(torn.trials)) == 3
    assert [refusal.line for refusal in torn.refused] == [4] and "not valid JSON" in torn.refused[0].why


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"case": "c", "passed": 1}, "passed: 1 is not true"),
        ({"case": "c", "passed": 1.0}, "passed: 1.0"),
        ({"case": "c", "passed": "yes"}, "passed: 'yes'"),
        ({"case": "c", "verdict": "pass"}, "verdict: 'pass' is not one of PASS, FAIL, UNKNOWN"),
        ({"case": "c", "verdict": "PASS", "passed": False}, "passed says FAIL, but verdict says PASS"),
        ({"case": "c", "passed": True, "ending": "timeout"}, "PASS contradicts the ending timeout"),
        ({"case": "c", "passed": False, "ending": "harness_error"}, "FAIL contradicts the ending harness_error"),
        ({"case": "c", "passed": True, "ending": "finised"}, "did you mean finished"),
        ({"case": "c", "passed": True, "cost_usd": -1}, "cost_usd: -1"),
        ({"case": "c", "passed": True, "cost_usd": "1,5"}, "cost_usd: '1,5'"),
        ({"case": "c", "passed": True, "cost_usd": "1e999"}, "cost_usd"),
        ({"case": "c", "passed": True, "cost_usd": True}, "cost_usd: True"),
        ({"case": "c", "passed": True, "latency_ms": "NaN"}, "latency_ms"),
        ({"case": "c", "passed": True, "input_tokens": 1.5}, "input_tokens: 1.5"),
        ({"case": "c", "passed": True, "input_tokens": "٣"}, "input_tokens"),
        ({"case": None, "passed": True}, "case: missing"),
        ({"case": ["c"], "passed": True}, "case: ['c'] is not a name"),
        ({"case": "c", "passed": True, "tag:tier": "e2"}, "did you mean e2e"),
        ({"case": "c", "passed": True, "tag:x": [1]}, "tag:x: [1] is not a label"),
        (["c"], "a line must be one JSON object"),
    ],
)
def test_a_row_that_cannot_be_taken_says_which_cell_and_why(table: Any, row: Any, why: str) -> None:
    found, trials = table([{"case": "ok", "passed": True}, row, {"case": "ok2", "passed": False}])
    assert [trial.head.key.case for trial, _ in trials] == ["ok", "ok2"]
    assert found.refused[0].line == 2 and why in found.refused[0].why
    assert _planned(found) == (2 if "case" in why or "line" in why else 3)


def test_labels_and_clusters_belong_to_the_case(table: Any) -> None:
    found, trials = table("case,passed,cluster,tag:tier\nc1,true,u1,unit\nc1,true,u2,unit\nc1,true,,\nc1,true,u1,e2e\n")
    assert len(trials) == 2
    assert [refusal.why for refusal in found.refused] == [
        "cluster: 'u2', but line 2 says 'u1' of the same case",
        "tier: 'e2e', but line 2 says 'unit' of the same case",
    ]


def test_trials_count_from_nought_or_from_one_as_the_table_does(table: Any) -> None:
    _, from_nought = table("case,trial,passed\nc1,0,true\nc1,1,true\nc2,1,true\n")
    _, from_one = table("case,trial,passed\nc1,1,true\nc1,2,true\nc2,2,true\n")
    _, unnumbered = table("case,passed\nc1,true\nc1,true\nc2,true\n")
    assert [trial.head.key.attempt for trial, _ in from_nought] == [1, 2, 2]
    assert [trial.head.key.attempt for trial, _ in from_one] == [1, 2, 2]
    assert [trial.head.key.attempt for trial, _ in unnumbered] == [1, 2, 1]
    found, half = table([{"case": "c1", "trial": 1, "passed": True}, {"case": "c1", "passed": True}])
    assert len(half) == 1 and found.refused[0].why == "trial: missing"


def test_rows_without_a_setup_belong_to_the_one_that_is_named(table: Any) -> None:
    _, trials = table("case,setup,passed\nc1,team,true\nc1,,false\n", setup="single")
    assert [trial.head.key.setup for trial, _ in trials] == ["team", "single"]


def test_what_was_planned_beyond_the_rows_is_not_run(table: Any) -> None:
    rows = "case,trial,passed\na,1,true\na,2,true\nb,1,true\nb,2,false\n"
    for planned, each, word in ((10, 5, "a setup"), (8, 4, "a setup"), (4, 2, "a setup"), (3, 3, "a case"), (2, 2, "a case")):
        found, trials = table(rows, planned=planned)
        assert [(plan.case, plan.attempts) for plan in found.manifest.planned] == [("a", each), ("b", each)]
        assert len(trials) == 4 and word in found.manifest.notes[0]


def test_planned_trials_that_no_case_can_claim_are_cases_of_their_own(table: Any) -> None:
    found, _ = table("case,passed\na,true\nb,true\n", planned=5)
    assert [(plan.case, plan.attempts) for plan in found.manifest.planned] == [
        ("a", 1),
        ("b", 1),
        *((f"(not named {n})", 1) for n in (1, 2, 3)),
    ]
    with pytest.raises(InputError, match="more trials than the 1 planned"):
        table("case,passed\na,true\na,true\n", planned=1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("case,passed,score\nc1,true,1\n", "unknown key 'score'"),
        ("case,pased\nc1,true\n", "did you mean 'passed'"),
        ("case,passed,case\nc1,true,c1\n", "'case' is there twice"),
        ("case,,passed\nc1,x,true\n", "has no name"),
        ("id,passed\nc1,true\n", "unknown key 'id'"),
        ("setup,passed\nc1,true\n", "no column `case`"),
        ("case,setup\nc1,x\n", "no verdicts"),
        ("case,passed\n", "no row"),
        ("case,passed\nc1,maybe\n", "line 2: passed: 'maybe'"),
        ('"case,passed\nc1,true\n', "header cannot be read"),
        ("case,passed,tag:\nc1,true,x\n", "unknown key 'tag:'"),
    ],
)
def test_a_table_that_cannot_be_read_at_all_says_so(table: Any, text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        table(text)
    assert said in str(error.value)


def test_unknown_columns_are_told_all_at_once_with_what_was_meant(table: Any) -> None:
    with pytest.raises(InputError) as error:
        table("case,version,passed,comment\nc1,v1,true,fine\n")
    told = str(error.value)
    assert "did you mean 'setup'? --map version=setup" in told and "--ignore comment" in told and "--map comment=tag:comment" in told
    assert "tag:NAME" in told


def test_columns_are_mapped_and_left_out_on_request(table: Any) -> None:
    text = "id,version,passed,comment,topic\nc1,v1,true,fine,refund\n"
    columns = columns_of(["id=case", "version=setup", "topic=tag:topic"], ["comment"])
    found, ((trial, _),) = table(text, columns=columns)
    assert (trial.head.key.case, trial.head.key.setup, found.manifest.cases[0].labels.tags) == ("c1", "v1", ("topic:refund",))
    _, got = table([{"id": "c1", "passed": True}, {"id": "c2", "passed": True, "comment": 1}], columns=columns_of(["id=case"], ["comment"]))
    assert [trial.head.key.case for trial, _ in got] == ["c1", "c2"]


@pytest.mark.parametrize(
    ("renamed", "said"),
    [("version", "THEIRS=OURS"), ("version=setups", "--map setups=setup"), ("nope=setup", "no column 'nope'"), ("x=case", "the same name")],
)
def test_a_mapping_that_cannot_be_meant_is_refused(table: Any, renamed: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        table("case,x,passed\nc1,v1,true\n", columns=columns_of([renamed], []))
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("cells", "said"),
    [("yes,", "write true"), ("0,", "write false"), ("true,$0.01", "write 0.01"), ("maybe,", "false or empty")],
)
def test_what_is_ambiguous_is_refused_with_what_to_write(table: Any, cells: str, said: str) -> None:
    found, _ = table(f"case,passed,cost_usd\nc0,true,\nc1,{cells}\n")
    assert found.refused[0].why.endswith(said)


@pytest.mark.parametrize("mark", [";", "\t"])
def test_another_separator_is_named(table: Any, mark: str) -> None:
    with pytest.raises(InputError, match="not by a comma") as error:
        table("case,passed\nc1,true\n".replace(",", mark))
    assert "delimiter=" in str(error.value) and "docs/importing.md" in str(error.value)


def test_an_unknown_column_on_a_later_line_ends_the_import_with_its_line(table: Any) -> None:
    with pytest.raises(InputError, match=r"results.jsonl:2: unknown key 'score'"):
        table([{"case": "a", "passed": True}, {"case": "b", "passed": True, "score": 1}])
    with pytest.raises(InputError, match="no line of the file is a JSON object"):
        table([1, 2])


def test_bytes_of_a_spreadsheet_are_read_as_they_are_meant(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_bytes('\ufeffcase,passed\r\n"缺货, ""急""",true\r\n007,false\r\nlast,true'.encode())
    found = importer("csv")(str(file))
    assert [(trial.head.key.case, card.verdict.value) for trial, card in found.trials] == [
        ('缺货, "急"', "PASS"),
        ("007", "FAIL"),
        ("last", "PASS"),
    ]


def test_three_trials_of_two_cases_are_six_rows_each_way(table: Any) -> None:
    found, trials = table("case,trial,passed\n" + "".join(f"c{c},{t},{'true' if t else 'false'}\n" for c in (1, 2) for t in (0, 1, 2)))
    rows = [(trial.head, card) for trial, card in trials]
    for form, head in (("csv", 1), ("jsonl", 0)):
        text = exporter(form)(EMPTY, rows, found.manifest.cases)
        assert len(text.splitlines()) == 6 + head


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_what_is_exported_is_imported_as_the_same(table: Any, tmp_path: Path, form: str) -> None:
    found, trials = table(
        "case,setup,trial,verdict,cost_usd,latency_ms,input_tokens,output_tokens,ending,cluster,tag:tier,tag:lang,tag:new\n"
        '"=SUM(1,2)",team,1,PASS,0.10,1500.25,900,120,finished,u1,agent,zh,true\n'
        "-5,team,1,FAIL,,,,,timeout,,,,\n"
        "'=x,single,2,UNKNOWN,0.00000000001,,,,harness_error,,,,\n"
        '缺货 "quoted",single,1,,,,,,declined,,,,\n'.replace('缺货 "quoted"', '"缺货 ""quoted"""')
    )
    text = exporter(form)(EMPTY, [(trial.head, card) for trial, card in trials], found.manifest.cases)
    file = tmp_path / f"again.{form}"
    file.write_bytes(text.encode())
    again = importer(form)(str(file))
    assert [trial.head for trial, _ in again.trials] == [_as_imported(trial, card) for trial, card in trials]
    assert again.refused == []
    assert [(case.id, case.labels, case.cluster) for case in again.manifest.cases] == [
        (case.id, case.labels, case.cluster) for case in found.manifest.cases
    ]


def _as_imported(trial: Trial, card: Scorecard) -> Any:
    """A verdict that was only implied is stated once it was exported."""
    trial.head.imported = card.verdict
    return trial.head


def test_a_spreadsheet_meets_no_formula(table: Any) -> None:
    found, trials = table([{"case": name, "passed": True} for name in ("=1+1", "+1", "-1", "@x", "\tx", "a\nb", "plain")])
    text = exporter("csv")(EMPTY, [(trial.head, card) for trial, card in trials], found.manifest.cases)
    cells = [line.split(",")[0] for line in text.splitlines()[1:]]
    assert cells == ["'=1+1", "'+1", "'-1", "'@x", "'\tx", "a b", "plain"]


def test_unknown_and_at_least_are_left_empty_in_the_export(table: Any) -> None:
    _, ((trial, card),) = table("case,passed,cost_usd\nc1,true,0.5\n")
    trial.head.spend = msgspec.structs.replace(trial.head.spend, usd_complete=False)
    line = exporter("jsonl")(EMPTY, [(trial.head, card), (trial.head, None)], ())
    assert [json.loads(row) for row in line.splitlines()] == [
        {"case": "c1", "setup": "imported", "trial": 1, "passed": True, "verdict": "PASS", "ending": "finished"},
        {"case": "c1", "setup": "imported", "trial": 1, "verdict": "UNKNOWN", "ending": "finished"},
    ]


def test_formats_that_do_not_exist_are_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'jsonl'"):
        importer("json")
    with pytest.raises(InputError) as error:
        exporter("junt")
    assert "did you mean 'junit'" in str(error.value) and "csv" in str(error.value)


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), min_size=1), min_size=1, max_size=6))
def test_cells_written_by_another_writer_are_read_back(cells: list[str]) -> None:
    import csv
    import io

    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(cells)
    read = split_cells(out.getvalue())
    assert len(read) == len(cells)
    for got, cell in zip(read, cells, strict=True):
        assert got in {cell, cell[1:]} and (got == cell or cell.startswith("'"))


@given(st.text())
def test_no_line_of_text_breaks_the_reader(line: str) -> None:
    try:
        cells = split_cells(line)
    except ValueError as error:
        assert "quote" in str(error)
    else:
        assert len(cells) <= line.count(",") + 1


@pytest.mark.parametrize("number", ["99999999999", "1000000"])
def test_a_trial_number_that_nobody_meant_is_refused_and_plans_nothing(table: Any, number: str) -> None:
    found, _ = table(f"case,setup,trial,passed\na,s,1,true\na,s,{number},true\n")
    assert [(one.line, "above" in one.why) for one in found.refused] == [(3, True)]
    assert _planned(found) == 1


def test_a_plan_that_nobody_could_read_is_refused(table: Any) -> None:
    with pytest.raises(InputError, match="far more than the table has"):
        table("case,setup,trial,passed\na,s,1,true\nb,s,1,true\nc,s,1,true\n", planned=10**11)
    with pytest.raises(InputError, match="more than the 10,000,000"):
        table("case,setup,trial,passed\n" + "".join(f"c{number},s,999999,true\n" for number in range(11)))


def test_the_kind_of_an_imported_failure_is_that_of_its_ending(table: Any) -> None:
    _, got = table("case,setup,trial,passed,ending\na,s,1,,timeout\nb,s,1,,agent_error\nc,s,1,false,\nd,s,1,true,\n")
    assert [card.grades[0].kind for _, card in got] == ["timeout", "crash", None, None]
    assert got[2][1].grades[0].fix == ""


def test_what_a_table_has_no_column_for_is_told_of_as_unknown(table: Any) -> None:
    always = {"tool_calls", "steps", "retries", "handover_rate"}
    assert set(table("case,passed\nc1,false\n")[0].manifest.untold) == always | {"severe", "declined", "over_budget"}
    assert set(table("case,passed,ending\nc1,false,\n")[0].manifest.untold) == always | {"severe"}
    assert set(table("case,passed,ending,severe\nc1,false,,true\nc2,true,,\n")[0].manifest.untold) == always
    assert "severe" in table("case,passed,severe\nc1,false,\nc2,false,true\n")[0].manifest.untold
    assert set(table("case,passed\nc1,true\nc2,true\n")[0].manifest.untold) == always | {"declined"}  # what passed had no severe failure
    assert "severe" in table("case,passed\nc1,true\nc2,\n")[0].manifest.untold


def test_a_severe_failure_is_told_by_its_column(table: Any) -> None:
    found, got = table("case,passed,severe\nc1,false,true\nc2,false,2\nc3,false,FALSE\nc4,true,\nc5,true,true\nc6,false,bad\n")
    assert [card.severe for _, card in got] == [1, 2, 0, 0]
    assert [card.grades[0].severity for _, card in got] == ["critical", "critical", "major", "major"]
    assert [refusal.line for refusal in found.refused] == [6, 7]
    _, got = table([{"case": "c1", "passed": False, "severe": True}, {"case": "c2", "passed": False, "severe": 0}])
    assert [card.severe for _, card in got] == [1, 0]
