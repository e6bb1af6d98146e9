"""What may be written in a suite: every key of `suite.yaml`, its type and its bounds."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from fairtrial.cases.forms import Count, Form, Name, RawCheck, Target, Text
from fairtrial.records.budget import Budget
from fairtrial.records.setup import SetupForm
from fairtrial.records.suite import World


class WorldForm(Form, kw_only=True, frozen=True):
    """Where trials happen; `from` is a folder, or a git repository together with `commit`."""

    kind: Text = "json"
    seed: Text | UnsetType = UNSET
    source: Text | UnsetType = msgspec.field(name="from", default=UNSET)
    commit: Text | UnsetType = UNSET


class HandoffForm(Form, kw_only=True, frozen=True):
    """What one role owes another."""

    source: Name = msgspec.field(name="from")
    target: Name = msgspec.field(name="to")
    requires: tuple[Name, ...] = ()


class GraduateForm(Form, kw_only=True, frozen=True):
    """When a case joins the regression library: so many batches in a row each above a score of 1 to 5, or the trials of the
    last so many batches with a lower bound of their pass rate above a share."""

    batches: Count = 5
    above: Decimal | UnsetType = UNSET
    lower_bound: Decimal | UnsetType = UNSET


class DemoteForm(Form, kw_only=True, frozen=True):
    """When a case goes back to the capability library: the mirror image."""

    batches: Count = 1
    below: Decimal | UnsetType = UNSET
    upper_bound: Decimal | UnsetType = UNSET


class QuarantineForm(Form, kw_only=True, frozen=True):
    """When a case counts as flaky: over the last so many batches of one and the same setup, a stability below this."""

    batches: Count = 3
    stability: Decimal = Decimal("0.8")


class LibraryForm(Form, kw_only=True, frozen=True):
    """The rules of graduation, demotion and quarantine."""

    graduate: GraduateForm | UnsetType = UNSET
    demote: DemoteForm | UnsetType = UNSET
    quarantine: QuarantineForm | UnsetType = UNSET


class JudgeForm(Form, kw_only=True, frozen=True):
    """A model judge: what model (or several, each with one vote), which rubric, how often, and the bar it must pass on human labels.

    `quorum`: how many of several models must give a usable verdict (else more than half); `spread`: how far repeats may lie
    apart, as a share of the rubric's scale. `timeout_s` is for one call once it is under way; `at_once`: how many calls of this judge
    may be under way (else as many as its service bears).
    """

    model: Text | Annotated[tuple[Text, ...], Meta(min_length=1)]
    rubric: Text = "dialogue"
    repeats: Annotated[int, Meta(ge=1, le=100)] = 1
    quorum: Count | UnsetType = UNSET
    spread: Decimal = Decimal("0.25")
    timeout_s: Annotated[float, Meta(gt=0)] = 60.0
    at_once: Count | UnsetType = UNSET
    bar: dict[str, Any] = msgspec.field(default_factory=dict)


class CanaryForm(Form, kw_only=True, frozen=True):
    """A known answer to a case, and the verdict that the graders must give it; as a solution in its long form, with a reason."""

    case: Name
    answer: Any = UNSET
    state: Any = UNSET
    trace: tuple[dict[str, Any], ...] | UnsetType = UNSET
    declined: bool = False
    expect: Literal["PASS", "FAIL", "UNKNOWN"]
    why: str = ""


class SandboxForm(Form, kw_only=True, frozen=True):
    """What a trial of `--isolate sandbox` may have: its memory, its processes, and paths that it may read beside the suite's folder."""

    memory_mb: Annotated[int, Meta(ge=64)] = 2048
    processes: Count = 64
    show: tuple[Text, ...] = ()


class SuiteForm(Form, kw_only=True, frozen=True):
    """A suite as it is written: cases with their world, setups, budget and policy."""

    name: Name | UnsetType = UNSET
    cases: Text | Annotated[tuple[Text, ...], Meta(min_length=1)]
    world: Text | WorldForm = WorldForm()
    tools: Text | UnsetType = UNSET
    setups: dict[str, SetupForm] = msgspec.field(default_factory=dict)
    handoffs: tuple[HandoffForm, ...] = ()
    baseline: Name | UnsetType = UNSET
    candidate: Name | UnsetType = UNSET
    env: tuple[Name, ...] = ()
    sandbox: SandboxForm = SandboxForm()
    budget: Budget = Budget()
    trials: Count = 1
    seed: int = 0
    checks: tuple[RawCheck, ...] = ()
    graders: dict[str, Target] = msgspec.field(default_factory=dict)
    judges: dict[str, JudgeForm] = msgspec.field(default_factory=dict)
    prices: Text | UnsetType = UNSET
    library: LibraryForm = LibraryForm()
    policy: Text | UnsetType = UNSET
    canaries: Text | tuple[CanaryForm, ...] = ()


def world_of(form: SuiteForm) -> World:
    """The world as the rest of the program knows it; a bare text is its kind."""
    written = WorldForm(kind=form.world) if isinstance(form.world, str) else form.world
    return World(kind=written.kind, seed=written.seed or None, source=written.source or None, commit=written.commit or None)
