"""The sentence of a lift table and the step that follows from it.

The sentence names the team and its strongest rival, what each passed and at what price, and ends with what to do next.
Nothing is claimed of cost unless it is known on both sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fairtrial.records.lift import LiftRow, Routing
from fairtrial.records.report import Comparison, Difference
from fairtrial.study.contrast import FEWEST
from fairtrial.study.correctedwords import moved as corrected_clauses
from fairtrial.study.correctedwords import to_label, withdrawn
from fairtrial.study.wording import chance, count, dollars, listed, percent, points

if TYPE_CHECKING:
    from collections.abc import Iterator

NOUNS = {"single": "single agent", "retry": "retry", "team": "team"}


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A team beside its strongest rival. `refused` says why the match may not be read, empty where it may; `smaller` names a
    team of fewer roles that does as well at a lower cost, if there is one; `alike`: the rival is one of several of its kind."""

    team: LiftRow
    rival: LiftRow
    comparison: Comparison
    refused: list[str]
    routing: Routing
    smaller: str = ""
    alike: bool = False

    @property
    def independent(self) -> int:
        """Cases that do not move together with another."""
        return self.routing.clusters

    @property
    def costs_known(self) -> bool:
        return self.team.cost_complete and self.rival.cost_complete

    @property
    def cheaper(self) -> str:
        """Which of the two costs less a trial: team, rival, or an empty text where neither does or it is not known."""
        if not self.costs_known or self.team.cost_mean is None or self.rival.cost_mean is None:
            return ""
        team, rival = self.team.cost_mean, self.rival.cost_mean
        return "" if team == rival else "team" if team < rival else "rival"


def lift_says(standing: Standing, verdict: str, advice: str) -> str:
    """The sentence, ending with the next step."""
    if verdict == "invalid":
        why = " | ".join(standing.refused) or standing.comparison.says.partition("; next:")[0]
        told = f"The match of {standing.team.setup} with {standing.rival.setup} is invalid and says nothing of the team: {why}"
    else:
        routed = [routing_says(standing.routing)] if advice == "route" else []
        told = "; ".join([f"{_lead(standing, verdict)}: {_grounds(standing)}", *_caveats(standing), *routed])
    return f"{told}; next: {next_step(standing, verdict, advice)}."


def next_step(standing: Standing, verdict: str, advice: str) -> str:
    """What to do, without a full stop."""
    rival, team, routing = NOUNS[standing.rival.kind], standing.team.setup, standing.routing
    if advice == "invalid":
        return "give every setup the same facts, tools, rights and budget, and run again"
    if advice == "route":
        return f"send {routing.rule} to {routing.send} and the rest to {routing.rest}"
    if advice == "drop_a_role":
        return f"drop a role: {standing.smaller} does as well as {team} at a lower cost; fairtrial credit shows what each role brings"
    if verdict == "worse":
        return f"take the {rival}, and look for the role or the hand-off that does harm"
    if advice == "keep":
        return f"keep {team}, and find out which of its roles earn it"
    if advice == "take_rival" or verdict == "does_not_beat":
        return f"add cases that need several roles, or take the {rival}"
    return _to_tell(standing)


def routing_says(found: Routing) -> str:
    """What the rule does on cases not used to choose it."""
    if found.state != "holds" or found.routed is None or found.saved is None:
        return found.why
    ends = "" if found.saved_low is None or found.saved_high is None else f" ({percent(found.saved_low)} to {percent(found.saved_high)})"
    dear, cheap = (found.versus_team, found.versus_rival) if found.send_team else (found.versus_rival, found.versus_team)
    measure = {"usd": "the cost", "tokens": "the tokens", "steps": "the steps"}[str(found.measure)]
    return (
        f"{found.send} only where {found.rule}: saves {percent(found.saved)}{ends} of {measure} at no loss shown "
        f"({moved(dear)} against {found.send} everywhere) and gains over {found.rest} everywhere ({moved(cheap)}), "
        f"n = {found.cases} cases, each under a rule that it had no part in choosing"
    )


def moved(change: Difference | None) -> str:
    """A difference in points with its interval."""
    if change is None or change.value is None or change.low is None or change.high is None:
        return "not known"
    return f"{points(change.value)} points, 95 % interval {points(change.low)} to {points(change.high)}"


def _to_tell(standing: Standing) -> str:
    if standing.comparison.new_severe:
        return "mend the severe failures first"
    if standing.comparison.withdrawn and standing.comparison.corrected is not None:
        return to_label(standing.comparison.corrected)
    if standing.comparison.verdict == "better" and not standing.costs_known:
        return "have every setup state its cost"
    if standing.comparison.unknown:
        return f"have the undecided trials graded ({listed(standing.comparison.unknown, 5)})"
    return "add cases, or trials to the cases there are"


def few_says(standing: Standing) -> str:
    """That so few cases cannot tell what holds beyond them."""
    cases = count(standing.independent, "independent case")
    return f"{cases} cannot tell which is better in general, it takes {FEWEST} at the least"


def _rival(standing: Standing) -> str:
    """The rival with its price beside the team's, by name where the run has several of its kind."""
    noun = NOUNS[standing.rival.kind]
    if standing.alike:
        price = {"rival": ", which costs less", "team": ", which costs more"}.get(standing.cheaper, "")
        return f"{noun} {standing.rival.setup}{price}"
    return "the " + {"rival": "cheaper ", "team": "dearer "}.get(standing.cheaper, "") + noun


def _lead(standing: Standing, verdict: str) -> str:
    number = standing.comparison.difference.n
    cases, rival = "this case" if number == 1 else f"these {count(number, 'case')}", _rival(standing)
    if verdict == "worse":
        return f"On {cases} the team does worse than {rival}"
    if verdict == "earns_its_cost" and standing.comparison.verdict == "not_worse":
        return f"On {cases} the team is not worse than {rival} and costs less, so it earns its cost"
    if verdict == "earns_its_cost":
        return f"On {cases} the team beats {rival} and earns its cost"
    if verdict == "does_not_beat":
        return f"On {cases} the team does not beat {rival}"
    if standing.comparison.verdict == "better":
        return f"On {cases} the team passes more than {rival}, but whether it earns its cost cannot be told"
    return f"On {cases} we cannot tell whether the team beats {rival}"


def _grounds(standing: Standing) -> str:
    found = standing.comparison
    rows = ", ".join(_row(row, priced=standing.costs_known) for row in (standing.team, standing.rival))
    change = found.difference
    if change.value is None or change.low is None or change.high is None:
        return rows
    test = f", {chance(found.p_value)}" if found.p_value is not None else ""
    return f"{rows} ({points(change.value)} points, 95 % interval {points(change.low)} to {points(change.high)}{test})"


def _row(row: LiftRow, *, priced: bool) -> str:
    told = f"{row.setup} passed {row.passed} of {row.planned}"
    return f"{told} at {dollars(row.cost_per_success)} per success" if priced and row.cost_per_success is not None else told


def _caveats(standing: Standing) -> Iterator[str]:
    mended = standing.comparison.corrected
    yield from corrected_clauses(mended)
    if standing.comparison.withdrawn and mended is not None:
        yield withdrawn(mended)
    if standing.comparison.new_severe:
        yield f"it has new severe failures in {listed(standing.comparison.new_severe)}"
    if standing.team.unknown or standing.rival.unknown:
        yield f"UNKNOWN: {standing.team.unknown} of {standing.team.setup}, {standing.rival.unknown} of {standing.rival.setup}"
    carried = standing.comparison.comparable["carried"]
    if carried:
        yield f"the match is unfair and was carried on request ({' | '.join(carried)})"
