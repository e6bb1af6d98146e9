"""`fairtrial judge exam FILE`: how far a judge agrees with people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.options import OneOf, as_path, suite_or_here, verb

if TYPE_CHECKING:
    from fairtrial.cli.out import Out

MISSED = 1


@verb("exam")
@click.argument("file", type=as_path)
@click.option("--judge", metavar="NAME", help="Whose exam (else the only rater who is no person).")
@click.option("--truth", metavar="human|NAME", default="human", help="Whose word is true: the majority of people, or one rater.")
@click.option(
    "--positive", metavar="LABEL", help="The label that precision and recall are of (else the good one of PASS/FAIL and the like)."
)
@click.option(
    "--bar", metavar="FILE", type=as_path, help='The least of some figures, as YAML or JSON: {kappa: "0.6", recall_critical: "0.9"}.'
)
@click.option("--invalid", "rule", type=OneOf(("wrong", "tie", "drop")), default="wrong", help="What a reply that is no verdict counts as.")
@click.option(
    "--scale", type=OneOf(("nominal", "ordinal", "interval")), default="nominal", help="What alpha takes labels that are numbers for."
)
@click.option(
    "--suite", metavar="SUITE", type=as_path, help="Whose judge it is (else that of the suite here): the exam is kept and counts."
)
@click.option(
    "--probe", is_flag=True, help="Ask the suite's judge again in other forms: order, length, layout, swapped labels, another scale."
)
@click.option(
    "--family", metavar="NAME", default="", help="The judge's model family: is it kinder to agents whose slice `family` says the same?"
)
def exam(out: Out, file: str, bar: str | None, suite: str | None, **asked: Any) -> int:
    """Hold a judge's ratings against those of people: agreement, kappa, precision and recall with intervals clustered by case, the
    failures it caught, the most severe first.

    \b
      fairtrial judge exam labels.jsonl --judge quality --bar bar.yaml

    FILE has one rating a line:

    \b
      {"item": "7", "rater": "human:1", "label": "PASS", "cluster": "case-3", "severity": "critical", "slice": {"lang": "zh"}}
      {"item": "7", "rater": "quality", "label": "FAIL"}

    In a suite's folder, or with --suite, it is the exam of that suite's judge: asked about the stored trials that items name (as
    fairtrial review export does, or RUN/SETUP/CASE/ATTEMPT) where the file has no word of it, held to the judge's own bar, and kept
    with its date and the judge's identity, where its truth is that of people and it has 10 items or more. From then on
    `fairtrial grade` lets its verdicts count, as far as the bar is met; a judge whose model or rubric changes has to sit it again.

    Ends 1 where a stated bar is not met, 2 where there is nothing to mark.
    """
    from fairtrial import workflow
    from fairtrial.report.exam_view import exam_sheet
    from fairtrial.steps.exams import suite_of

    options = workflow.ExamOptions(**asked)
    found = workflow.judge_exam(file, options, bar, suite or suite_of(suite_or_here(None), file, options.judge), out.store)
    out.tell(found, lambda: exam_sheet(found, out.words, file, bar))
    return MISSED if found.passes is False else 0
