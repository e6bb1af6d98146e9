"""The simulated users on a run's page and the dialogue on a trial's: how it ended, who broke a rule, what the user's side took.

Left out where nobody was simulated. Kept out: what the user's side cost in money, which stands under the costs (`run_tables.py`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from fairtrial.report.numbers import MISSING, figure, money, percent, whole
from fairtrial.report.sheet import Part, Sheet, Text, said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairtrial.records.report import RunReport, Users
    from fairtrial.report.words import Words

COLUMNS = ("dialogues", "turns", "simulator_faults", "rejected", "calls", "tokens")


def users(sheet: Sheet, report: RunReport, words: Words) -> None:
    """Each setup's simulated users: dialogues, their length, the rate of broken rules, and how they ended."""
    held = {name: setup.users for name, setup in report.setups.items() if setup.users is not None}
    if not held:
        return
    sheet.head(words("users.title"), words("users.aside"))
    columns = [(words("col.setup"), "l"), *((words(f"col.{key}"), "r") for key in COLUMNS), (words("col.ends"), "l")]
    sheet.grid(columns, [_row(name, found, words) for name, found in held.items()])


def _row(name: str, found: Users, words: Words) -> list[Text]:
    ends = ", ".join(f"{words.known(f'over.{reason}', reason)} {whole(count)}" for reason, count in found.ends.items())
    repeated = f" + {whole(found.repeated)}" if found.repeated else ""
    turns = MISSING if found.turns_mean is None else f"{figure(found.turns_mean, 1)} / {whole(found.turns_max)}"
    return [
        said(name, "strong"),
        f"{whole(found.dialogues)}{repeated}",
        turns,
        Part(f"{whole(found.faults)} ({percent(found.fault_rate)})", "unsure" if found.faults else "dim"),
        Part(whole(found.rejected), "unsure" if found.rejected else "dim"),
        whole(found.calls),
        f"{whole(found.tokens.input)} / {whole(found.tokens.output)}",
        ends,
    ]


def dialogue(sheet: Sheet, held: Mapping[str, Any] | None, words: Words) -> None:
    """One trial's dialogue in one line, and what its user took, apart from the agent."""
    if not held:
        return
    ended, why = str(held.get("ended", "")), str(held.get("why", ""))
    known = words.known(f"over.{ended}", words.known(f"ending.{ended}", ended))
    line: list[Text] = [Part(f"{words('dialogue')}: ", "dim"), words("dialogue.turns", n=held.get("turns", 0)), ", ", known]
    if why:
        line += [": ", said(words.echo(why))]
    sheet.line(*line)
    if held.get("calls"):
        tokens, cost = held.get("tokens") or {}, held.get("cost_usd")
        took = words(
            "dialogue.took",
            calls=whole(held["calls"]),
            tokens=f"{whole(tokens.get('input'))} / {whole(tokens.get('output'))}",
            cost=MISSING if cost is None else money(Decimal(str(cost))),
            rejected=whole(held.get("rejected", 0)),
        )
        sheet.line(said(str(held.get("model") or ""), "dim"), "  ", Part(took, "dim"), indent=2)
