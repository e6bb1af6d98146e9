"""The verbs: where each lives, under which heading the help lists it, and what it does in one line.

A verb's file is opened only when the verb is typed. Kept out: verbs that do not exist yet.
"""

from __future__ import annotations

from typing import NamedTuple


class Verb(NamedTuple):
    """`place` is module:function; `takes` the arguments as the help shows them."""

    place: str
    group: str
    takes: str
    does: str


VERBS: dict[str, Verb] = {
    "demo": Verb("demo:demo", "Start here", "", "run the built-in five-role team beside its baselines; no key, no network"),
    "init": Verb("init:init", "Start here", "DIR", "write a small suite to start from"),
    "check": Verb("check:check", "Start here", "SUITE", "let a suite check itself: duplicates, missing must-nots, wrong references"),
    "run": Verb("run:run", "Run and grade", "SUITE", "run every setup at every case, grade, report"),
    "grade": Verb("grade:grade", "Run and grade", "RUN", "grade a stored run again, without running it"),
    "retest": Verb("retest:retest", "Run and grade", "RUN CASE", "after a mend: the case alone, then the suite; what else moved"),
    "runs": Verb("runs:runs", "Read", "", "list the runs, newest first"),
    "show": Verb("show:show", "Read", "RUN [CASE [ATTEMPT]]", "one run, one case, or one trial"),
    "replay": Verb("replay:replay", "Read", "RUN CASE ATTEMPT", "a trial step by step, and where each fact was last present"),
    "diagnose": Verb("diagnose:diagnose", "Read", "RUN", "kinds of failure, where each began, what to mend, what to run again"),
    "trend": Verb("trend:trend", "Read", "SUITE", "a suite run by run: what declined, what rose, where figures break"),
    "compare": Verb("compare:compare", "Compare", "BASE NEW…", "pair runs or setups case by case: fixed, broken, or cannot tell"),
    "lift": Verb("lift:lift", "Compare", "RUN", "single, retry, team in one table: does the team earn its cost?"),
    "credit": Verb("credit:credit", "Compare", "SUITE", "which role earns it: each removed, replaced, mended; pairs; Shapley"),
    "use": Verb("use:use", "Compare", "SUITE", "alter a fact at the hand-off: does the decision move when the fact does?"),
    "plan": Verb("plan:plan", "Compare", "SUITE", "how many cases and trials find a wanted difference, and at what price"),
    "gate": Verb("gate:gate", "Decide", "RUN", "may it ship? by a policy: ship, block, or not enough evidence"),
    "judge": Verb(
        "judge:judge", "Judges and people", "exam|labels|mutants|pairs", "how good is the judge? what do the graders let through?"
    ),
    "review": Verb("review:review", "Judges and people", "RUN", "trials that people label, blind, two by two; status, export, import"),
    "promote": Verb("promote:promote", "Cases that live", "RUN CASE ATTEMPT", "turn a failure into the draft of a case, redacted"),
    "library": Verb("library:library", "Cases that live", "SUITE", "which cases graduate to regression, which go back, who opened what"),
    "import": Verb("importing:bring_in", "In and out", "FORMAT FILE…", "bring in results from elsewhere (tau, csv, jsonl)"),
    "export": Verb("exporting:export", "In and out", "RUN FORMAT [FILE]", "write a run as junit, markdown, csv or jsonl"),
    "schema": Verb("schema:schema", "In and out", "KIND", "JSON Schema of a case, a suite, a policy, a rubric or a report"),
}
