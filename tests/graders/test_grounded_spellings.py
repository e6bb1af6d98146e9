"""One value in many spellings: each is borne out by what was given, and the same spelling of another value never is."""

import time
from typing import Any

import pytest

from tests.graders.making import FAIL, PASS, Tape, make_trial, verdict_of

GIVEN: list[tuple[Any, str, str]] = [
    (1000, "It is 1e3 now.", "It is 2e3 now."),
    (1_200_000, "It is 1.2×10^6 now.", "It is 1.3×10^6 now."),
    (1000, "It is 10³ now.", "It is 11³ now."),
    (1e-7, "It is 1e-07 now.", "It is 2e-07 now."),
    (250, "It costs two hundred and fifty dollars.", "It costs two hundred and sixty dollars."),
    (5000, "It costs five thousand dollars.", "It costs six thousand dollars."),
    (0.5, "It is fifty percent of all.", "It is forty percent of all."),
    (1_500_000, "It is worth $1.5mn now.", "It is worth $1.6mn now."),
    (2 * 10**12, "It is worth $2 trillion now.", "It is worth $3 trillion now."),
    (250_000, "It is worth 2.5 lakh rupees.", "It is worth 2.6 lakh rupees."),
    (3 * 10**12, "总值3万亿元。", "总值4万亿元。"),
    (85, "共捌拾伍元整。", "共捌拾陆元整。"),
    ([1024, 768], "It is 1024x768 in size.", "It is 1024x769 in size."),
    ("+1 (415) 555-2671", "Call 415-555-2671 now.", "Call 415-555-2672 now."),
    ("4155552671", "Call (415) 555-2671 now.", "Call (415) 555-2672 now."),
    ("13800138000", "请拨打 138 0013 8000。", "请拨打 138 0013 8001。"),
    ("555-1234", "Call 5551234 now.", "Call 5551235 now."),
    ("v1.2.3", "Version 1.2.3 is out.", "Version 1.2.4 is out."),
    ("2.1", "Version v2.1 is out.", "Version v2.2 is out."),
    ("HAT136", "Flight HAT-136 is late.", "Flight HAT-137 is late."),
    ("10.0.0.0/8", "Net 10.0.0.0/8 is up.", "Net 10.0.0.0/9 is up."),
    ("fe80::1ff:fe23:4567:890a", "Host fe80::1ff:fe23:4567:890a is up.", "Host fe80::1ff:fe23:4567:890b is up."),
    ("room 12B", "You have room 12B there.", "You have room 12C there."),
    ("gate B7", "Go to gate B7 now.", "Go to gate B8 now."),
    ("14:30", "It leaves at 2.30pm today.", "It leaves at 3.30pm today."),
    ("14:30", "It leaves at 14h30 today.", "It leaves at 15h30 today."),
    ("14:30", "下午两点半出发。", "下午三点半出发。"),
    ("2025-05-03", "On 20250503 it began.", "On 20250504 it began."),
    ("20250503", "On 3 May 2025 it began.", "On 4 May 2025 it began."),
    ("2025-05-03", "于25年5月3日开始。", "于24年5月3日开始。"),
    (["2025-05-03", "2025-05-05"], "On May 3–5, 2025 it rained there.", "On May 3–6, 2025 it rained there."),
    (["2025-05-03", "2025-05-05"], "On 3-5 May 2025 it rained there.", "On 3-6 May 2025 it rained there."),
    (["2025-05-03", "2025-05-05"], "5月3日至5日下雨。", "5月3日至6日下雨。"),
    ("https://example.org/a_(b)", "See https://example.org/a_(b) for it.", "See https://example.org/a_(c) for it."),
    ("https://example.org/a1", "请看https://example.org/a1，谢谢。", "请看https://example.org/a2，谢谢。"),
    ("https://example.org/a", "See HTTPS://EXAMPLE.ORG/a for it.", "See HTTPS://EXAMPLE.ORG/b for it."),
    ("it's a very fine day", "He said ‘it’s a very fine day’.", "He said ‘it was a very bad day’."),
    ("it's a very fine day", 'He said "It’s a very fine day".', 'He said "It was a very bad day".'),
    ("桥梁建成通车很久了", '报告称"桥梁建成通车很久了"。', '报告称"桥梁建成通车没多久"。'),
]


@pytest.mark.parametrize(("given", "right", "wrong"), GIVEN)
def test_a_spelling_is_borne_out_by_its_value_and_by_no_other(given: Any, right: str, wrong: str) -> None:
    spans = Tape().call("read", {}, {"value": given}).spans
    assert verdict_of({"grounded": "$"}, make_trial(right, spans)) == PASS
    assert verdict_of({"grounded": "$"}, make_trial(wrong, spans)) == FAIL


@pytest.mark.parametrize(
    "answer",
    [
        "| # | height |\n|---|---|\n| 1 | 62 |\n| 2 | 62 |",
        "（1）高62米\n（2）就这些",
        "1\\. It is 62 high",
        "## 1.1 Overview\nIt is 62 high.\n## 1.2 More\nIt is 62 high.",
        "In section 3.2 it says 62.",
        "I am one hundred percent sure that it is 62.",
        "The drivers' hours and the riders' rights are 62.",
    ],
)
def test_what_only_numbers_things_needs_no_evidence(answer: str) -> None:
    assert verdict_of({"grounded": "$"}, make_trial(answer, Tape().call("read", {}, {"high": 62}).spans)) == PASS


HOSTILE = ["1", "1.", "1 ", "1-", "a.", "_", "+", "A1", "“a ", "1e", "1%", " ", "\n", "1点", "May 1 ", "'a ", "1x", "+1 (1", "one "]


@pytest.mark.parametrize("piece", HOSTILE)
def test_no_text_takes_long(piece: str) -> None:
    """Time may grow with the length of a text, not with its square: the same text eight times as long."""

    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        trial = make_trial(text, Tape().call("read", {}, "It is 7. " + text[: length // 2]).spans)
        began = time.process_time()
        verdict_of({"grounded": "$", "arithmetic": True}, trial)
        return time.process_time() - began

    seconds(500)
    assert seconds(32_000) < 24 * seconds(4_000) + 0.5
