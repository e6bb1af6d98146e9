"""A judge: one rubric put to one model or several, each asked so many times, and what their answers come to.

Each repeat is a call and a cache entry of its own. Kept out: what is asked (`question.py`), how a reply is read (`reply.py`), what
answers come to (`opinion.py`), and where answers are kept (`kept.py`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from fairtrial.judges import question
from fairtrial.judges.asking import Asked, ask
from fairtrial.judges.kept import Cache, Kept, answer_key
from fairtrial.judges.opinion import Terms, conclude
from fairtrial.judges.reply import read_reply
from fairtrial.models.model import origin_of
from fairtrial.records.errors import InputError
from fairtrial.records.opinion import Opinion
from fairtrial.records.text import content_hash
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairtrial.models.model import Model
    from fairtrial.records.opinion import Answer, Matter
    from fairtrial.records.rubric import Rubric


class Judge:
    """A rubric and the models that mark by it. Safe to be asked from several threads at once."""

    def __init__(
        self,
        name: str,
        rubric: Rubric,
        models: Sequence[Model],
        terms: Terms | None = None,
        cache: Cache | None = None,
    ) -> None:
        """Raises InputError where a model is named twice, or the quorum is more than there are models."""
        self.name = name
        self.rubric = rubric
        self.models = tuple(models)
        self.terms = terms or Terms()
        self.kept = Kept(cache)
        names = [model.name for model in models]
        if len(set(names)) < len(names):
            raise InputError(f"the judge {name!r} asks one model twice", value=names, mend="name each once; repeats: 2 asks it twice")
        if self.terms.needed(len(names)) > len(names):
            what = f"the judge {name!r} has a quorum that its models cannot reach"
            raise InputError(what, value=self.terms.quorum, allowed=f"1 to {len(names)}", mend="lower it, or add models")
        self.identity = identity(rubric, self.models, self.terms)
        self._schema = question.reply_schema(rubric)

    def opinion(self, matter: Matter) -> Opinion:
        """What the judge says of a matter. Never raises for what a model does."""
        low, high = self.rubric.scale
        opinion = Opinion(
            judge=self.name,
            identity=self.identity,
            rubric=self.rubric.hash,
            scale=(float(low), float(high)),
            verdict=Verdict.UNKNOWN,
        )
        try:
            parts = question.parts_of(self.rubric, matter, self.terms.room)
        except question.Unshowable as error:
            return msgspec.structs.replace(opinion, why=str(error))
        shown = question.digest(parts)
        answers = [
            self.kept.answer(
                answer_key(model, self.rubric.hash, shown, repeat),
                partial(self._asked, self.asked(model, repeat), matter, parts),
            )
            for model in self.models
            for repeat in range(1, self.terms.repeats + 1)
        ]
        return conclude(opinion, self.rubric, self.terms, answers)

    def asked(self, model: Model, repeat: int) -> Asked:
        """Whom to ask, on this judge's terms."""
        return Asked(model=model, repeat=repeat, schema=self._schema, timeout_s=self.terms.timeout_s)

    def _asked(self, asked: Asked, matter: Matter, parts: tuple[question.Part, ...]) -> Answer:
        nonce = question.fresh_nonce(parts)
        read, answer = ask(
            asked.signed(nonce),
            lambda said: question.messages(self.rubric, parts, nonce, said),
            lambda text: read_reply(text, self.rubric, nonce, matter),
        )
        if read is None:
            return answer
        return msgspec.structs.replace(answer, score=float(read.score), passed=read.passed, marks=read.marks, reason=read.reason)


def identity(rubric: Rubric, models: Sequence[Model], terms: Terms) -> str:
    """What makes a judge the one it is, who answers for its models among it. A judge that was examined under another identity has to
    sit its exam again."""
    limits = [terms.repeats, terms.needed(len(models)), str(terms.spread.normalize()), terms.room]
    return content_hash([question.FORM, [[model.name, origin_of(model)] for model in models], rubric.hash, *limits])
