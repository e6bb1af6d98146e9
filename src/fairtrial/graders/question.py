"""`question: PATH`: was the question answered, or left open?

A stated answer is judged by the other checks. Leaving it open is UNKNOWN where the case allows that, else a failure.
"""

from __future__ import annotations

from fairtrial.graders.compare import ABSENT, contains
from fairtrial.graders.finding import NOTHING_TO_SAY, Finding, fails, unknown
from fairtrial.graders.ground import DEFAULT_UNKNOWN, Ground
from fairtrial.graders.kept import dotted, untold
from fairtrial.graders.paths import compile_path
from fairtrial.graders.values import Probe
from fairtrial.graders.view import View
from fairtrial.records.check import Check
from fairtrial.records.failure import FailureKind


def compile_question(check: Check, ground: Ground) -> Probe:
    path = compile_path(check.target, check.place)
    open_values = list(check.expect.get("unknown_values", DEFAULT_UNKNOWN))

    def probe(view: View) -> Finding:
        if not view.answered and not view.declined:
            return view.silence
        value = path.read(view.output) if view.answered else ABSENT
        left_open = contains(open_values, value) or (value is ABSENT and view.declined)
        covered = untold(view, f"output{dotted(path)}", path.text) if value is ABSENT else None
        if covered is not None:
            return covered
        if value is ABSENT and not view.declined:
            return fails(path.why_absent(view.output), path=path.text, expected="an answer", firm=True, kind=FailureKind.FORMAT_ERROR)
        if not left_open:
            return NOTHING_TO_SAY
        seen = None if value is ABSENT else value
        said = "declined" if value is ABSENT else f"answered {value!r:.60}"
        if ground.unknown_ok:
            return unknown(f"left open: the agent {said}, which the case allows", path=path.text, seen=seen, excused=True)
        return fails(
            f"left open: the agent {said}, though this can be answered",
            path=path.text,
            expected="an answer",
            seen=seen,
            firm=True,
            kind=FailureKind.PREMATURE_STOP,
        )

    return probe
