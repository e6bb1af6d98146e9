"""One trial as `show` gives it."""

from __future__ import annotations

from fairtrial.records.trial import Ending, Trial, TrialBody, TrialHead, TrialKey
from fairtrial.steps.reading import trial_object


def _shown(wall_ms: float, stated_ms: float | None) -> dict[str, object]:
    head = TrialHead(key=TrialKey("a", "single", 1), seed=0, ending=Ending.FINISHED, wall_ms=wall_ms, stated_ms=stated_ms)
    return trial_object(Trial(head=head, body=TrialBody(output={})), None)


def test_a_time_that_nobody_took_is_none_with_its_reason() -> None:
    shown = _shown(0.0, None)
    assert (shown["latency_ms"], shown["measured_ms"]) == (None, None)
    assert {"latency_ms", "measured_ms"} <= set(shown["reasons"] if isinstance(shown["reasons"], dict) else ())


def test_a_stated_time_goes_before_the_measured_one() -> None:
    assert [_shown(5.0, 600.0)[name] for name in ("latency_ms", "measured_ms", "stated_ms")] == [600.0, 5.0, 600.0]
    assert _shown(5.0, None)["latency_ms"] == 5.0
    only_stated = _shown(0.0, 600.0)
    assert only_stated["latency_ms"] == 600.0 and "latency_ms" not in str(only_stated["reasons"])
