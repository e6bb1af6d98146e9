"""Pairs that a judge saw side by side, counted by case, and what they say of the two sides.

A case is one independent observation: its pairs are summed to one sign before the test. Ties, whatever made them, are no win of
either side. Kept out: asking the judge (`judges/pairs.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, TypeVar

from fairtrial.records.pairs import Asking, BiasRate, PairCase, PairsReport, SideBySide, SignTest
from fairtrial.stats.interval import pooled_share
from fairtrial.stats.permutation import mcnemar
from fairtrial.study.wording import chance, count, percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LEVEL = 0.05
N = TypeVar("N", int, float, Decimal)


def read_pairs(report: PairsReport, seen: Mapping[str, Sequence[SideBySide]]) -> PairsReport:
    """The report, which names its sides and judge, with everything that follows from the pairs of each case."""
    cases = [_case(name, pairs) for name, pairs in seen.items()]
    report.cases = cases
    report.pairs = sum(map(len, seen.values()))
    report.base_wins, report.new_wins = sum(case.base for case in cases), sum(case.new for case in cases)
    report.ties, report.unknown = sum(case.tie for case in cases), sum(case.unknown for case in cases)
    report.unsteady = sum(case.unsteady for case in cases)
    report.bias = bias_rate(seen.values())
    report.sign = sign_test(cases)
    report.asking = asking([pair for pairs in seen.values() for pair in pairs])
    if report.bias.value is None:
        report.reasons["bias"] = "the judge answered no pair in both orders"
    if report.sign.p_value is None:
        report.reasons["sign.p_value"] = "no case has more wins on one side"
    if report.asking.usd is None:
        report.reasons["asking.usd"] = "the price of at least one call is not known"
    report.verdict = _verdict(report.sign) if report.standing.counts else "cannot_tell"
    if not report.standing.counts:
        report.notes.append(f"{report.standing.why}; type: {report.standing.mend}")
    elif report.standing.why:
        report.notes.append(report.standing.why)
    report.says = _says(report)
    return report


def empty_report(base: str, new: str, judge: str, identity: str, rubric: str) -> PairsReport:
    """A report on two sides that holds no pair yet."""
    none = BiasRate(value=None, low=None, high=None, n=0, first=0, second=0)
    nobody = SignTest(new=0, base=0, even=0, unknown=0, p_value=None, worst=None)
    nothing = Asking(calls=0, cached=0, usd=None, input_tokens=None, output_tokens=None, ms=None)
    return PairsReport(
        base=base, new=new, judge=judge, identity=identity, rubric=rubric, pairs=0, base_wins=0, new_wins=0, ties=0, unknown=0,
        unsteady=0, bias=none, sign=nobody, verdict="cannot_tell", says="", asking=nothing,
    )  # fmt: skip


def _case(name: str, pairs: Sequence[SideBySide]) -> PairCase:
    doubles = [double for pair in pairs for double in pair.doubles]
    return PairCase(
        id=name,
        base=sum(pair.outcome == "base" for pair in pairs),
        new=sum(pair.outcome == "new" for pair in pairs),
        tie=sum(pair.outcome == "tie" for pair in pairs),
        unknown=sum(pair.outcome == "unknown" for pair in pairs),
        biased=sum(double.flag in ("first", "second") for double in doubles),
        unsteady=sum(double.flag == "unsteady" for double in doubles),
        why=next((pair.why for pair in pairs if pair.outcome == "unknown"), ""),
    )


def bias_rate(seen: Iterable[Sequence[SideBySide]]) -> BiasRate:
    """How often one place was named in both orders, over the doubles that can be used, with an interval clustered by case."""
    by_case = [[double for pair in pairs for double in pair.doubles if double.outcome != "unknown"] for pairs in seen]
    flags = [[double.flag for double in doubles if double.flag in ("first", "second")] for doubles in by_case]
    share = pooled_share([(len(one), len(all_)) for one, all_ in zip(flags, by_case, strict=True)])
    return BiasRate(
        value=share.value,
        low=share.low,
        high=share.high,
        n=share.n,
        first=sum(one.count("first") for one in flags),
        second=sum(one.count("second") for one in flags),
    )


def sign_test(cases: Sequence[PairCase]) -> SignTest:
    """The exact sign test over cases, as they stand and with every unknown pair counted for the side that is behind."""
    known = [case for case in cases if case.new + case.base + case.tie]
    new, base, even = _signs([case.new - case.base for case in known])
    behind = -1 if new > base else 1
    worst_new, worst_base, _ = _signs([case.new - case.base + behind * case.unknown for case in cases])
    still = worst_new > worst_base if behind < 0 else worst_base > worst_new
    return SignTest(
        new=new,
        base=base,
        even=even,
        unknown=len(cases) - len(known),
        p_value=mcnemar(new, base).p_value if new + base else None,
        worst=(mcnemar(worst_new, worst_base).p_value if still else 1.0) if new + base else None,
    )


def _signs(nets: Sequence[int]) -> tuple[int, int, int]:
    return sum(net > 0 for net in nets), sum(net < 0 for net in nets), sum(net == 0 for net in nets)


def asking(pairs: Sequence[SideBySide]) -> Asking:
    """What the answers took. Those from the cache were paid for when they were asked, and count as cached alone."""
    answers = [answer for pair in pairs for answer in pair.answers]
    asked = [answer for answer in answers if not answer.cached]
    return Asking(
        calls=sum(max(1, len(answer.replies)) for answer in asked),
        cached=len(answers) - len(asked),
        usd=_total([answer.usd for answer in asked], Decimal(0)),
        input_tokens=_total([answer.input_tokens for answer in asked], 0),
        output_tokens=_total([answer.output_tokens for answer in asked], 0),
        ms=_total([answer.ms for answer in asked], 0.0),
    )


def _total(numbers: Sequence[N | None], nothing: N) -> N | None:
    known = [number for number in numbers if number is not None]
    return sum(known, nothing) if len(known) == len(numbers) else None


def _verdict(sign: SignTest) -> str:
    if sign.p_value is None or sign.worst is None or max(sign.p_value, sign.worst) >= LEVEL:
        return "cannot_tell"
    return "new_better" if sign.new > sign.base else "base_better"


def _says(report: PairsReport) -> str:
    sign, bias = report.sign, report.bias
    if not report.pairs:
        return f"No case and attempt is there on both sides, so {report.judge} was asked nothing."
    base, new = _short(report.base, report.new)
    sides = f"{new} wins {count(sign.new, 'case')}, {base} {sign.base}, {sign.even} even, {sign.unknown} unknown"
    lead = {
        "new_better": f"{report.judge} finds {new} better",
        "base_better": f"{report.judge} finds {base} better",
        "cannot_tell": f"{report.judge} cannot tell the two apart",
    }[report.verdict]
    told = [f"{lead}: {sides}"]
    told.append("no case leans to one side" if sign.p_value is None else f"sign test over cases, {chance(sign.p_value)}")
    if not report.standing.counts:
        told.append("its exam does not let it say more")
    elif report.verdict == "cannot_tell" and sign.p_value is not None and sign.p_value < LEVEL:
        told.append(f"but {count(report.unknown, 'pair')} without an answer could turn it")
    if bias.value is not None:
        share = percent(bias.value) if bias.value else "none"
        told.append(f"in {share} of {bias.n} double looks the place decided, not the answer")
    return "; ".join(told) + "."


def _short(base: str, new: str) -> tuple[str, str]:
    """Both sides by their setups where these tell them apart."""
    setups = base.partition(":")[2], new.partition(":")[2]
    return setups if all(setups) and setups[0] != setups[1] else (base, new)
