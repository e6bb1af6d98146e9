"""An exam that is sat for a suite: held to the bar that the suite states for its judge, and kept with the judge's identity.

Where the file has no word of the judge, it is asked about the stored trial that the item names. Ratings that name another version
of the judge are none of its own; ratings that name none are taken as its own, and a note says
so. Kept out: marking (`examining.py`), and what an exam is worth later (`study/standing.py`).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from fairtrial.cases.judges import form_of
from fairtrial.cases.suite import load_suite
from fairtrial.exchange.labels import read_ratings
from fairtrial.records.bar import read_bar
from fairtrial.records.errors import InputError, unknown_name
from fairtrial.records.exam import Refused
from fairtrial.records.moment import moment
from fairtrial.records.rating import human
from fairtrial.records.standing import Sitting
from fairtrial.records.text import content_hash, dumps
from fairtrial.steps.askedexam import Asking
from fairtrial.steps.examining import read_bar_file
from fairtrial.steps.judges import open_judge, parts_of
from fairtrial.steps.known import keep_secret
from fairtrial.steps.looks import who
from fairtrial.steps.reading import open_store
from fairtrial.study.exam import read_exam
from fairtrial.study.examkept import lacks
from fairtrial.study.examlabels import verdict_words
from fairtrial.study.wording import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.judges.judge import Judge
    from fairtrial.records.exam import Exam
    from fairtrial.records.rating import Rating
    from fairtrial.records.suite import Suite
    from fairtrial.store.sql import Store
    from fairtrial.study.exam import ExamOptions


class Examinee(msgspec.Struct, frozen=True):
    """A judge of a suite about to sit an exam, and the bar that the suite states for it."""

    suite: Suite
    judge: Judge
    bar: dict[str, Any]


def sit(path: str, store: str | None, file: str, options: ExamOptions, bar: str | None = None) -> Exam:
    """Mark the exam that a file of ratings holds for a judge of the suite at `path`, and keep it. `bar` is a file in place of the
    suite's own bar."""
    ratings, refused = read_ratings(file)
    suite = load_suite(path)
    with open_store(suite.folder, store) as opened:
        keep_secret(opened, suite, suite.cases)
        sat = _examinee(suite, opened, ratings, options.judge)
        asking = Asking(suite, sat.judge, opened)
        own = msgspec.structs.replace(options, judge=sat.judge.name, version=sat.judge.identity)
        held = (read_bar_file(bar), bar) if bar else (sat.bar, suite.path)
        read_bar(*held, {rating.severity for rating in ratings if rating.severity})  # before anything is spent
        missing = asking.missing(ratings)
        shown = asking.matters(missing)
        ratings += asking.ratings(shown, verdict_words(rating.label for rating in ratings if rating.human and rating.label))
        _has_word(ratings, sat.judge)
        family, ratings = asking.kin(ratings)
        own = msgspec.structs.replace(own, family=own.family or family)
        exam = read_exam(ratings, own, *held)
        exam.refused = [Refused(one.line, one.why) for one in refused]
        exam.notes += _told(len(shown), len(missing) - len(shown))
        if options.probe:
            exam.probes = asking.probes(asking.matters(dict.fromkeys(rating.item for rating in ratings)))
        _keep(opened, sat, exam, (ratings, own))
    return exam


def _told(asked: int, left: int) -> list[str]:
    """Where the judge's words come from, as far as the file does not have them."""
    notes = [f"the judge was asked about {count(asked, 'stored trial')}"] if asked else []
    lacks = [f"{count(left, 'item')} without a word of the judge {'name' if left > 1 else 'names'} no stored trial"] if left else []
    return notes + lacks


def _has_word(ratings: Sequence[Rating], judge: Judge) -> None:
    """Raises InputError where every rating of the judge is of another version of it, and no trial is there to ask it about."""
    versions = [rating.version for rating in ratings if rating.rater == judge.name]
    if versions and all(version not in (None, judge.identity) for version in versions):
        mend = "have it judge again (fairtrial grade RUN), and take the ratings from there (fairtrial review export)"
        raise InputError(
            f"every rating by {judge.name} is of another version of it: its model, its rubric or the like has changed", mend=mend
        )


def suite_of(here: str | None, file: str, judge: str | None) -> str | None:
    """The suite `here`, where it has the judge whose ratings a file holds; else None, and the exam is nobody's."""
    name = None if here is None else rater_of(read_ratings(file)[0], judge)
    return here if here is not None and name is not None and name in load_suite(here).judges else None


def rater_of(ratings: Sequence[Rating], named: str | None) -> str | None:
    """Whose exam a file of ratings is, as far as that can be told: the judge that was named, else the only rater who is no person."""
    others = {rating.rater for rating in ratings if not human(rating.rater)}
    return named or (next(iter(others)) if len(others) == 1 else None)


def _examinee(suite: Suite, store: Store, ratings: Sequence[Rating], named: str | None) -> Examinee:
    """The judge of the suite that the ratings are of. Raises InputError where the suite has none of that name."""
    name = rater_of(ratings, named) or (next(iter(suite.judges)) if len(suite.judges) == 1 else None)
    if name is None or name not in suite.judges:
        raise unknown_name("the suite has no judge of this name", name or "", suite.judges, mend="name one with --judge")
    return Examinee(suite, open_judge(suite, name, store), dict(form_of(suite.judges, name).bar))


def _paper(ratings: Sequence[Rating], options: ExamOptions) -> str:
    """A hash of what is marked and how: whoever looks at the same twice has not sat twice. Probes and the order of lines are no part."""
    rows = sorted(dumps(msgspec.to_builtins(rating)) for rating in ratings)
    how = [options.truth, options.positive, options.rule, options.scale]
    return content_hash([rows, how])


def _alike(one: Sitting, sat: Examinee, exam: Exam) -> bool:
    asked = {row.figure: row.least for row in exam.bar}
    return (one.identity, one.bar) == (sat.judge.identity, asked)


def _keep(store: Store, sat: Examinee, exam: Exam, about: tuple[Sequence[Rating], ExamOptions]) -> None:
    """Adds the exam to the store, durable when this returns, and says so in its notes; or says why it is none that counts."""
    judge = sat.judge
    ratings, options = about
    lacking = lacks(exam)
    exam.kept = not lacking
    if lacking:
        exam.reasons["kept"] = "; ".join(lacking)
        exam.notes.append(f"not kept as an exam of {judge.name}, whose standing is as it was: {exam.reasons['kept']}")
        return
    unnamed = sum(rating.rater == judge.name and rating.version is None for rating in ratings)
    if unnamed:
        exam.notes.append(f"ratings by {judge.name} that do not say which version of it gave them are taken as of today's: {unnamed}")
    own = _paper(ratings, options)
    last = next((one for one in reversed(store.exams.of(judge.name)) if one.suite == sat.suite.name), None)
    if last is not None and last.paper == own and _alike(last, sat, exam):
        exam.notes.append(f"the same labels, bar and judge as in the exam of {moment(last.at_ns)}: that is one exam, and none was added")
        return
    store.exams.add(
        Sitting(
            paper=own,
            at_ns=time.time_ns(),
            judge=judge.name,
            identity=judge.identity,
            suite=sat.suite.name,
            parts=parts_of(judge),
            figures=msgspec.to_builtins(exam),
            bar={row.figure: row.least for row in exam.bar},
            passes=exam.passes,
            who=who(),
        )
    )
    exam.notes.append(f"kept as the exam of {judge.name} in {sat.suite.name}; fairtrial grade RUN lets it count for what is judged already")
