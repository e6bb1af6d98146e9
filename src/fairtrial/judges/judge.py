"""A judge: one rubric put to one model or several, each asked so many times, and what their answers come to.

Each repeat is a call and a cache entry of its own. A reply that is no verdict is asked for once more, with the reason; then that
answer cannot be used. An outage is not asked again: the model has its own patience. Kept out: what is asked (`question.py`), how a
reply is read (`reply.py`), what answers come to (`opinion.py`), and where answers are kept.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from decimal import Decimal
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from fairtrial.judges import question
from fairtrial.judges.objects import Unusable
from fairtrial.judges.opinion import Terms, conclude
from fairtrial.judges.reply import read_reply
from fairtrial.models.model import MalformedReply
from fairtrial.records.errors import InputError, ProviderOutage
from fairtrial.records.opinion import Answer, Opinion
from fairtrial.records.text import content_hash
from fairtrial.records.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fairtrial.models.model import Message, Model, Reply
    from fairtrial.records.opinion import Matter
    from fairtrial.records.rubric import Rubric

TRIES = 2
UNREAD = "it did not arrive as text that could be read, or was cut off"
"""What a model is told of a reply that its service could not hand over. The service's own words may hold what was graded."""
N = TypeVar("N", int, float, Decimal)


class Cache(Protocol):
    """Where answers are kept. Safe to be used from several threads; the first answer put under a key stays."""

    def get(self, key: str) -> Answer | None: ...

    def put(self, key: str, answer: Answer) -> None: ...


class Judge:
    """A rubric and the models that mark by it. Safe to be asked from several threads at once."""

    def __init__(
        self,
        name: str,
        rubric: Rubric,
        models: Sequence[Model],
        terms: Terms | None = None,
        cache: Cache | None = None,
        price: Callable[[Reply], Decimal | None] | None = None,
    ) -> None:
        """`price` is asked for what a call cost where its reply does not state it (US dollars; None: not known)."""
        self.name = name
        self.rubric = rubric
        self.models = tuple(models)
        names = [model.name for model in models]
        if len(set(names)) < len(names):
            raise InputError(f"the judge {name!r} asks one model twice", value=names, mend="name each once, and ask it repeats: 2 times")
        self.terms = terms or Terms()
        self.identity = identity(rubric, names, self.terms)
        self._cache = cache
        self._price = price
        self._schema = question.reply_schema(rubric)
        self._keys = Keys()

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
            self._answer(model, repeat, _Shown(matter, parts, shown))
            for model in self.models
            for repeat in range(1, self.terms.repeats + 1)
        ]
        return conclude(opinion, self.rubric, self.terms, answers)

    def _answer(self, model: Model, repeat: int, shown: _Shown) -> Answer:
        """One repeat of one model, from the cache where it is there."""
        if self._cache is None:
            return self._asked(model, repeat, shown)
        key = answer_key(model.name, self.rubric.hash, shown.digest, repeat)
        with self._keys.alone(key):
            kept = self._cache.get(key)
            if kept is not None:
                return msgspec.structs.replace(kept, cached=True)
            answer = self._asked(model, repeat, shown)
            if not answer.problem:
                self._cache.put(key, answer)
            return answer

    def _asked(self, model: Model, repeat: int, shown: _Shown) -> Answer:
        call = Call(model, repeat, self.terms.timeout_s, self._price)
        nonce = question.fresh_nonce(shown.parts)
        problem = said = ""
        for _ in range(TRIES):
            try:
                text = call.ask(question.messages(self.rubric, shown.parts, nonce, said), self._schema)
                read = read_reply(text, self.rubric, nonce, shown.matter)
            except ProviderOutage as error:
                return msgspec.structs.replace(call.answer(str(error)), outage=True)
            except MalformedReply as error:
                problem, said = str(error), UNREAD
            except Unusable as error:
                problem = said = error.reason
            else:
                told = call.answer()
                return msgspec.structs.replace(told, score=float(read.score), passed=read.passed, marks=read.marks, reason=read.reason)
        return call.answer(problem)


class _Shown(msgspec.Struct, frozen=True):
    """A matter as it is put before every model of a judge."""

    matter: Matter
    parts: tuple[question.Part, ...]
    digest: str


class Call:
    """The tries of one answer, with what all of them used together."""

    def __init__(self, model: Model, repeat: int, timeout_s: float, price: Callable[[Reply], Decimal | None] | None) -> None:
        self._model = model
        self._repeat = repeat
        self._timeout_s = timeout_s
        self._price = price
        self._raw: list[str] = []
        self._replies: list[Reply | None] = []

    def ask(self, messages: Sequence[Message], schema: dict[str, Any]) -> str:
        """The text of a reply. Raises ProviderOutage or MalformedReply."""
        self._replies.append(None)
        reply = self._model.reply(messages, schema=schema, timeout_s=self._timeout_s)
        self._replies[-1] = reply
        self._raw.append(reply.text)
        return reply.text

    def answer(self, problem: str = "") -> Answer:
        """The answer so far. What one of its calls does not tell, the sum does not tell."""
        known = [reply for reply in self._replies if reply is not None]
        whole = len(known) == len(self._replies)
        return Answer(
            model=self._model.name,
            repeat=self._repeat,
            problem=problem,
            replies=tuple(self._raw),
            input_tokens=_sum([reply.input_tokens for reply in known]) if whole else None,
            output_tokens=_sum([reply.output_tokens for reply in known]) if whole else None,
            usd=_sum([self._cost(reply) for reply in known]) if whole else None,
        )

    def _cost(self, reply: Reply) -> Decimal | None:
        if reply.usd is not None or self._price is None:
            return reply.usd
        return self._price(reply)


def _sum(numbers: Sequence[N | None]) -> N | None:
    known = [number for number in numbers if number is not None]
    return sum(known[1:], known[0]) if known and len(known) == len(numbers) else None


class Keys:
    """One thread at a time for each key: what another is asking for already is waited for, not asked twice."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._held: dict[str, tuple[threading.Lock, int]] = {}

    @contextmanager
    def alone(self, key: str) -> Iterator[None]:
        with self._guard:
            lock, waiting = self._held.get(key, (threading.Lock(), 0))
            self._held[key] = lock, waiting + 1
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, waiting = self._held.pop(key)
                if waiting > 1:
                    self._held[key] = lock, waiting - 1


def answer_key(model: str, rubric: str, shown: str, repeat: int) -> str:
    """The name of an answer: all that went into it, but for the nonce."""
    told = "\n".join((question.FORM, model, rubric, shown, str(repeat)))
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def identity(rubric: Rubric, models: Sequence[str], terms: Terms) -> str:
    """What makes a judge the one it is. A judge that was examined under another identity has to sit its exam again."""
    limits = [terms.repeats, terms.needed(len(models)), str(terms.spread.normalize()), terms.room]
    return content_hash([question.FORM, list(models), rubric.hash, *limits])
