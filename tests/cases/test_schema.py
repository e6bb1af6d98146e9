"""The schemas say what the loader reads: made from the same tables, whole, and closed."""

from typing import Any

import msgspec
import pytest

from fairtrial.cases.forms import CaseForm
from fairtrial.cases.schema import BY_VERB, CASE_WORDS, KINDS, schema
from fairtrial.cases.suiteforms import SuiteForm
from fairtrial.records.errors import InputError
from fairtrial.records.subjects import SUBJECTS
from fairtrial.records.text import dumps, loads


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_json_and_every_reference_in_it_leads_somewhere(kind: str) -> None:
    made = schema(kind)
    assert loads(dumps(made)) == made
    for reference in references(made):
        name = reference.removeprefix("#/$defs/")
        assert name in made["$defs"]


def references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return [*own, *(found for item in value.values() for found in references(item))]
    return [found for item in value for found in references(item)] if isinstance(value, list) else []


@pytest.mark.parametrize(("kind", "form"), [("case", CaseForm), ("suite", SuiteForm)])
def test_a_schema_has_the_keys_of_its_form_and_refuses_others(kind: str, form: type[msgspec.Struct]) -> None:
    body = schema(kind)["$defs"][form.__name__]
    assert set(body["properties"]) == {field.encode_name for field in msgspec.structs.fields(form)}
    assert body["additionalProperties"] is False


def test_every_subject_of_a_check_has_its_own_closed_shape() -> None:
    shapes = schema("case")["$defs"]["Check"]["oneOf"]
    assert [shape["title"] for shape in shapes] == list(SUBJECTS)
    for shape in shapes:
        name = shape["title"]
        assert shape["required"] == [name]
        assert shape["additionalProperties"] is False
        assert set(SUBJECTS[name].expects) <= set(shape["properties"])


def test_checks_are_described_wherever_they_stand() -> None:
    case = schema("case")["$defs"]
    places = [case["CaseForm"]["properties"][key] for key in ("must", "must_not", "limits")]
    places += [case["SubtaskForm"]["properties"]["checks"], schema("suite")["$defs"]["SuiteForm"]["properties"]["checks"]]
    assert all(place["items"] == {"$ref": "#/$defs/Check"} for place in places)


def test_the_words_for_people_name_keys_that_exist() -> None:
    assert set(CASE_WORDS) <= set(CaseForm.__struct_fields__)


def test_what_a_verb_answers_with_has_a_schema_under_the_name_of_the_verb() -> None:
    for verb in ("compare", "gate", "diagnose", "promote", "run", "show"):
        assert schema(verb) == schema(BY_VERB[verb])
    for verb in ("lift", "credit", "use", "plan", "trend", "library"):
        assert schema(verb)["title"] == f"fairtrial {verb}"


def test_an_unknown_kind_names_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean case"):
        schema("cases")
