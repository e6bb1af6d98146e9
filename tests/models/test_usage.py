"""What a provider states of tokens is read as one account, in every dialect, and nothing is counted twice."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.models.usage import Usage, read_usage


def test_cached_input_counts_once_inside_or_beside(shared: Path) -> None:
    given_calls = json.loads((shared / "known-faults" / "inputs" / "C01_cached_usage.json").read_text(encoding="utf-8"))["calls"]
    for call in given_calls:
        use = read_usage(call["usage"])
        assert (use.input_tokens, use.cached_tokens, use.output_tokens) == (1000, 800, 50), call["provider_style"]


def test_reasoning_counts_once_inside_or_beside(shared: Path) -> None:
    given_calls = json.loads((shared / "known-faults" / "inputs" / "C05_reasoning_usage.json").read_text(encoding="utf-8"))["calls"]
    for call in given_calls:
        use = read_usage(call["usage"])
        assert (use.input_tokens, use.cached_tokens, use.output_tokens, use.reasoning_tokens) == (1000, 600, 400, 250), call


@pytest.mark.parametrize(
    ("stated", "account"),
    [
        # Reasoning beside the output of a chat completion: the total tells.
        (
            {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 35, "completion_tokens_details": {"reasoning_tokens": 20}},
            (10, 25, None, 20),
        ),
        ({"prompt_tokens": 10, "completion_tokens": 25, "completion_tokens_details": {"reasoning_tokens": 20}}, (10, 25, None, 20)),
        ({"prompt_tokens": 1000, "completion_tokens": 5, "cache_read_input_tokens": 800}, (1000, 5, 800, None)),
        (
            {"input_tokens": 200, "output_tokens": 5, "cache_read_input_tokens": 800, "cache_creation_input_tokens": 50},
            (1050, 5, 800, None),
        ),
        ({"prompt_tokens": 10, "completion_tokens": 5, "prompt_cache_hit_tokens": 4}, (10, 5, 4, None)),
        # Contradictory: more cached than went in, more reasoning than came out, with a total that explains neither.
        ({"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 11}}, (None, 5, None, None)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 9}}, (10, None, None, None)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 99}, (10, 5, None, None)),
        ({"prompt_tokens": None, "input_tokens": 3, "completion_tokens": "5"}, (3, None, None, None)),
        (None, (None, None, None, None)),
        ([], (None, None, None, None)),
    ],
)
def test_each_dialect_is_one_account(stated: Any, account: tuple[int | None, ...]) -> None:
    use = read_usage(stated)
    assert (use.input_tokens, use.output_tokens, use.cached_tokens, use.reasoning_tokens) == account


NAMES = ["prompt_tokens", "input_tokens", "completion_tokens", "output_tokens", "total_tokens", "cached_tokens", "reasoning_tokens"]
NAMES += ["cache_read_input_tokens", "cache_creation_input_tokens", "thoughtsTokenCount", "prompt_tokens_details"]
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-5, 2000)
    | st.text(max_size=3)
    | st.floats()
    | st.dictionaries(st.sampled_from(NAMES), st.integers())
)


@given(st.dictionaries(st.sampled_from(NAMES), VALUES))
def test_whatever_is_stated_the_parts_lie_within_the_whole(stated: dict[str, Any]) -> None:
    use = read_usage(stated)
    assert isinstance(use, Usage)
    for part, whole in (
        (use.cached_tokens, use.input_tokens),
        (use.cache_write_tokens, use.input_tokens),
        (use.reasoning_tokens, use.output_tokens),
    ):
        assert part is None or whole is None or 0 <= part <= whole
