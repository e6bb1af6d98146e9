"""`fairtrial judge …`: what is done with model judges. Each of its verbs is a file of its own, opened when it is typed."""

from __future__ import annotations

from importlib import import_module

import click

from fairtrial.records.errors import nearest

PARTS = {
    "exam": "judge_exam:exam",
    "labels": "judge_labels:labels",
    "pairs": "judge_pairs:pairs",
    "mutants": "judge_mutants:mutants",
}
"""Name -> file:function, in the order of the help."""


class Judging(click.Group):
    """The group of the verbs on judges."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(PARTS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in PARTS:
            return None
        module, _, function = PARTS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"fairtrial.cli.{module}"), function)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in PARTS:
            near = nearest(args[0], PARTS)
            hint = f"did you mean {near!r}?" if near else f"there is: {', '.join(PARTS)}"
            raise click.UsageError(f"no verb 'judge {args[0]}'; {hint}", ctx)
        return super().resolve_command(ctx, args)


HELP = """Ask model judges, and hold them to account.

\b
  fairtrial judge exam labels.jsonl --judge quality
  fairtrial judge pairs last:before last:after --judge quality
  fairtrial judge mutants my-suite

Each has a --help of its own."""

judge = Judging(name="judge", help=HELP)
