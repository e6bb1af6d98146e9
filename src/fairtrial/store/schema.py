"""The words of the store: its tables, in numbered steps, and every statement that is run on them.

All SQL of the project stands here. It keeps to what SQLite and PostgreSQL share: `?` stands for a value (a PostgreSQL face
writes `%s`), ON CONFLICT DO NOTHING, no date or JSON functions; the few types that differ are named in braces and filled in
by the face. Kept out: when a statement is run (`sql.py`) and on what (`sqlite.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol


class Session(Protocol):
    """What a face hands out: an open transaction."""

    def execute(self, sql: str, parameters: tuple[Any, ...] = ..., /) -> Any:
        """Run one statement; what comes back gives its rows."""
        ...

    def executemany(self, sql: str, parameters: Any, /) -> Any:
        """Run one statement for many rows; `rowcount` of what comes back is their sum."""
        ...


class Types(NamedTuple):
    """The type names in which dialects differ."""

    key: str
    whole: str
    blob: str


SQLITE_TYPES = Types(key="INTEGER PRIMARY KEY", whole="INTEGER", blob="BLOB")

RUN_SPAN = 1 << 32
"""Trials of run r have the numbers r * RUN_SPAN + 1, 2, …: a run lies together on disk and is read without an index."""

# A step is never changed once it was released; a new one is added below it.
STEPS: tuple[tuple[str, ...], ...] = (
    (
        # The manifest comes last: what lists runs need not read past it.
        """CREATE TABLE runs (
            number {key}, id TEXT NOT NULL UNIQUE, suite TEXT NOT NULL, status TEXT NOT NULL,
            started_ns {whole} NOT NULL, ended_ns {whole}, planned {whole} NOT NULL,
            stored {whole} NOT NULL DEFAULT 0, passed {whole} NOT NULL DEFAULT 0, failed {whole} NOT NULL DEFAULT 0,
            holder TEXT, beat_ns {whole}, manifest TEXT NOT NULL)""",
        """CREATE TABLE cases (
            run {whole} NOT NULL, number {whole} NOT NULL, case_id TEXT NOT NULL, hash TEXT NOT NULL, raw TEXT NOT NULL,
            PRIMARY KEY (run, number))""",
        "CREATE TABLE setups (run {whole} NOT NULL, number {whole} NOT NULL, name TEXT NOT NULL, PRIMARY KEY (run, number))",
        # Numbers stand for case and setup, and the attempt comes first, so that the index stays small and grows at few places.
        """CREATE TABLE trials (
            number {key}, run {whole} NOT NULL, attempt {whole} NOT NULL, case_number {whole} NOT NULL, setup_number {whole} NOT NULL,
            ending TEXT NOT NULL, head TEXT NOT NULL, body {blob} NOT NULL, UNIQUE (run, attempt, case_number, setup_number))""",
        """CREATE TABLE grades (
            trial {whole} NOT NULL, sequence {whole} NOT NULL, version {whole} NOT NULL, verdict TEXT NOT NULL, card TEXT NOT NULL,
            PRIMARY KEY (trial, sequence))""",
        "CREATE TABLE versions (number {key}, run {whole} NOT NULL, name TEXT NOT NULL)",
        """CREATE TABLE tries (
            number {key}, run {whole} NOT NULL, case_number {whole} NOT NULL, setup_number {whole} NOT NULL, attempt {whole} NOT NULL,
            head TEXT NOT NULL, body {blob} NOT NULL)""",
        "CREATE INDEX tries_by_run ON tries (run)",
    ),
    # The starts that trials of a run share, by the hash of what they were before anything in them was covered.
    ("CREATE TABLE starts (run {whole} NOT NULL, hash TEXT NOT NULL, body {blob} NOT NULL, PRIMARY KEY (run, hash))",),
    # The ledger of looks at held-out cases and the log of moves between the libraries: lines are added, never changed or removed.
    (
        """CREATE TABLE looks (
            number {key}, at_ns {whole} NOT NULL, who TEXT NOT NULL, verb TEXT NOT NULL, suite TEXT NOT NULL, case_id TEXT NOT NULL,
            hash TEXT NOT NULL, brief_hash TEXT NOT NULL, run TEXT NOT NULL, setup TEXT NOT NULL, attempt {whole} NOT NULL)""",
        """CREATE TABLE moves (
            number {key}, at_ns {whole} NOT NULL, who TEXT NOT NULL, suite TEXT NOT NULL, case_id TEXT NOT NULL,
            hash TEXT NOT NULL, move TEXT NOT NULL, evidence TEXT NOT NULL)""",
        # Whether a held-out case was an open one before is asked by what it is and by what it is called.
        "CREATE INDEX cases_by_hash ON cases (hash)",
        "CREATE INDEX cases_by_id ON cases (case_id)",
    ),
    # Judges and people. Exams: lines are added, never changed or removed.
    (
        """CREATE TABLE exams (
            number {key}, at_ns {whole} NOT NULL, judge TEXT NOT NULL, identity TEXT NOT NULL, suite TEXT NOT NULL, held TEXT NOT NULL)""",
        "CREATE INDEX exams_by_judge ON exams (judge)",
        # The queue of what people look at, and what they said of it: lines that are added and never changed either.
        """CREATE TABLE reviews (
            number {key}, item TEXT NOT NULL, round {whole} NOT NULL, asks TEXT NOT NULL, question TEXT NOT NULL, reason TEXT NOT NULL,
            why TEXT NOT NULL, run TEXT NOT NULL, case_id TEXT NOT NULL, setup TEXT NOT NULL, attempt {whole} NOT NULL,
            at_ns {whole} NOT NULL, who TEXT NOT NULL, UNIQUE (item, round, question, reason, run, case_id, setup, attempt))""",
        "CREATE INDEX reviews_by_run ON reviews (run)",
        """CREATE TABLE labels (
            number {key}, token TEXT NOT NULL UNIQUE, item TEXT NOT NULL, round {whole} NOT NULL, person TEXT NOT NULL,
            rater TEXT NOT NULL, label TEXT NOT NULL, score TEXT, severity TEXT, note TEXT NOT NULL, role TEXT NOT NULL,
            saw {whole} NOT NULL, at_ns {whole} NOT NULL, who TEXT NOT NULL, replaces TEXT, blind {whole} NOT NULL)""",
        "CREATE INDEX labels_by_item ON labels (item)",
        # What models answered to judges, by the hash of everything that went into the question.
        "CREATE TABLE answers (key TEXT PRIMARY KEY, at_ns {whole} NOT NULL, body {blob} NOT NULL)",
        # What became of the canaries of a run, each time they were put to its graders.
        "CREATE TABLE canaries (number {key}, run TEXT NOT NULL, at_ns {whole} NOT NULL, held TEXT NOT NULL)",
        "CREATE INDEX canaries_by_run ON canaries (run)",
    ),
)

VERSION_TABLE = "CREATE TABLE schema_version (version {whole} NOT NULL, applied_ns {whole} NOT NULL, program TEXT NOT NULL)"
READ_VERSION = "SELECT max(version) FROM schema_version"
WRITE_VERSION = "INSERT INTO schema_version VALUES (?, ?, ?)"

NEXT_RUN = "SELECT coalesce(max(number), 0) + 1 FROM runs"
ADD_RUN = "INSERT INTO runs (number, id, suite, status, started_ns, planned, holder, beat_ns, manifest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
ADD_CASE = "INSERT INTO cases VALUES (?, ?, ?, ?, ?)"
ADD_SETUP = "INSERT INTO setups VALUES (?, ?, ?)"
HOLDER = "SELECT status, holder, beat_ns FROM runs WHERE number = ?"
HOLD_RUN = "UPDATE runs SET status = 'running', ended_ns = NULL, holder = ?, beat_ns = ? WHERE number = ?"
FREE_RUN = "UPDATE runs SET holder = NULL, beat_ns = NULL WHERE number = ?"
END_RUN = "UPDATE runs SET status = ?, ended_ns = ?, holder = NULL, beat_ns = NULL WHERE number = ?"
BEAT = "UPDATE runs SET beat_ns = ? WHERE number = ? AND holder = ?"
COUNT_RUN = "UPDATE runs SET stored = stored + ?, passed = passed + ?, failed = failed + ?, beat_ns = ? WHERE number = ?"

LIST_COLUMNS = "id, suite, status, started_ns, ended_ns, planned, stored, passed, failed, holder, beat_ns"
LIST_RUNS = f"SELECT {LIST_COLUMNS} FROM runs ORDER BY started_ns DESC, number DESC LIMIT ?"  # noqa: S608 - our own columns
LIST_SUITE = f"SELECT {LIST_COLUMNS} FROM runs WHERE suite = ? ORDER BY started_ns DESC, number DESC LIMIT ?"  # noqa: S608 - the same
RUN_IDS = "SELECT id FROM runs ORDER BY started_ns DESC, number DESC"
RUN_NUMBER = "SELECT number FROM runs WHERE id = ?"
READ_RUN = "SELECT id, started_ns, ended_ns, status, holder, beat_ns, manifest FROM runs WHERE id = ?"
READ_CASES = "SELECT number, case_id FROM cases WHERE run = ?"
READ_SETUPS = "SELECT number, name FROM setups WHERE run = ?"
READ_RAW = "SELECT case_id, raw FROM cases WHERE run = ? ORDER BY number"

LAST_TRIAL = "SELECT max(number) FROM trials WHERE number > ? AND number < ?"
ADD_TRIAL = "INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
FIND_TRIAL = "SELECT number FROM trials WHERE run = ? AND attempt = ? AND case_number = ? AND setup_number = ?"
READ_TRIAL = "SELECT head, body FROM trials WHERE run = ? AND attempt = ? AND case_number = ? AND setup_number = ?"
READ_CARD = """SELECT card FROM grades JOIN trials ON trials.number = grades.trial
    WHERE run = ? AND attempt = ? AND case_number = ? AND setup_number = ? ORDER BY sequence DESC LIMIT 1"""
READ_KEYS = "SELECT case_number, setup_number, attempt, ending FROM trials WHERE number > ? AND number < ?"
READ_BODIES = "SELECT head, body FROM trials WHERE number > ? AND number < ? ORDER BY number"
READ_ROWS = """SELECT head, (SELECT card FROM grades WHERE trial = trials.number ORDER BY sequence DESC LIMIT 1)
    FROM trials WHERE number > ? AND number < ? ORDER BY number"""
DROP_TRIAL = "DELETE FROM trials WHERE number = ?"
DROP_GRADES = "DELETE FROM grades WHERE trial = ?"

ADD_START = "INSERT INTO starts VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
READ_START = "SELECT body FROM starts WHERE run = ? AND hash = ?"
HAS_START = "SELECT 1 FROM starts WHERE run = ? AND hash = ?"

NEXT_TRY = "SELECT coalesce(max(number), 0) + 1 FROM tries"
ADD_TRY = "INSERT INTO tries VALUES (?, ?, ?, ?, ?, ?, ?)"
KEEP_AS_TRY = """INSERT INTO tries SELECT ?, run, case_number, setup_number, attempt, head, body FROM trials WHERE number = ?"""
READ_TRIES = "SELECT head FROM tries WHERE run = ? ORDER BY number"

ADD_GRADE = "INSERT INTO grades VALUES (?, ?, ?, ?, ?)"
LAST_GRADE = "SELECT sequence, verdict FROM grades WHERE trial = ? ORDER BY sequence DESC LIMIT 1"
VERSION_NUMBER = "SELECT number FROM versions WHERE run = ? AND name = ?"
NEXT_VERSION = "SELECT coalesce(max(number), 0) + 1 FROM versions"
ADD_VERSION = "INSERT INTO versions VALUES (?, ?, ?)"
READ_VERSIONS = "SELECT name FROM versions WHERE run = ? ORDER BY number"

NEXT_LOOK = "SELECT coalesce(max(number), 0) + 1 FROM looks"
ADD_LOOK = "INSERT INTO looks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
READ_LOOKS = "SELECT at_ns, who, verb, suite, case_id, hash, brief_hash, run, setup, attempt FROM looks ORDER BY number"
_EARLIER = "SELECT runs.id, runs.suite, started_ns, case_id, hash, raw FROM cases JOIN runs ON runs.number = cases.run"
CASE_BY_HASH = f"{_EARLIER} WHERE hash = ? ORDER BY started_ns"
CASE_BY_ID = f"{_EARLIER} WHERE case_id = ? AND suite = ? ORDER BY started_ns"
NEXT_MOVE = "SELECT coalesce(max(number), 0) + 1 FROM moves"
ADD_MOVE = "INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
READ_MOVES = "SELECT at_ns, who, suite, case_id, hash, move, evidence FROM moves WHERE suite = ? ORDER BY number"

NEXT_CANARIES = "SELECT coalesce(max(number), 0) + 1 FROM canaries"
ADD_CANARIES = "INSERT INTO canaries VALUES (?, ?, ?, ?)"
READ_CANARIES = "SELECT held FROM canaries WHERE run = ? ORDER BY number DESC LIMIT 1"
NEXT_EXAM = "SELECT coalesce(max(number), 0) + 1 FROM exams"
ADD_EXAM = "INSERT INTO exams VALUES (?, ?, ?, ?, ?, ?)"
READ_EXAMS = "SELECT at_ns, judge, identity, suite, held FROM exams WHERE judge = ? ORDER BY number"

NEXT_REVIEW = "SELECT coalesce(max(number), 0) + 1 FROM reviews"
ADD_REVIEW = "INSERT INTO reviews VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
ROUND_OF = "SELECT max(round) FROM reviews WHERE item = ?"
_REVIEW = "SELECT item, round, asks, question, reason, why, run, case_id, setup, attempt, at_ns, who FROM reviews"
READ_REVIEWS = f"{_REVIEW} WHERE run = ? ORDER BY number"
ALL_REVIEWS = f"{_REVIEW} ORDER BY number"
ASKED = "SELECT DISTINCT asks FROM reviews JOIN labels ON labels.item = reviews.item"
NEXT_LABEL = "SELECT coalesce(max(number), 0) + 1 FROM labels"
ADD_LABEL = "INSERT INTO labels VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
HAS_TOKEN = "SELECT 1 FROM labels WHERE token = ?"
_LABEL = "SELECT item, rater, label, round, saw, score, severity, note, role, at_ns, who, token, replaces, blind FROM labels"
LABELS_OF = f"{_LABEL} WHERE item = ? ORDER BY number"
ALL_LABELS = f"{_LABEL} ORDER BY number"
ADD_ANSWER = "INSERT INTO answers VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
DROP_ANSWER = "DELETE FROM answers WHERE key = ?"
READ_ANSWER = "SELECT body FROM answers WHERE key = ?"


def span_of(run: int) -> tuple[int, int]:
    """The open range in which the numbers of a run's trials lie."""
    return run * RUN_SPAN, (run + 1) * RUN_SPAN
