"""Published sets of labels in shapes of their own, as ratings: DevAI's project files, PandaLM's test set.

Kept out: tables, which `labelmap.py` reads by their columns.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from fairtrial.exchange.imported import Refusal
from fairtrial.exchange.labelmap import Taken, word
from fairtrial.records.errors import InputError
from fairtrial.records.rating import HUMAN, Rating
from fairtrial.records.text import loads, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

PEOPLE = "human_as_a_judge"
"""The folder of DevAI's files with the verdicts that people agreed on; every other folder is named for its judge."""
RESULT, ANNOTATOR = "_result", "annotator"


def read_devai(files: Iterable[str]) -> Taken:
    """DevAI (arXiv 2410.10934): one project a file, {"name", "requirements": [{"requirement_id", "category", "satisfied"}]}.

    A requirement of a project is an item, the project its cluster, the category a slice; the rater is the folder that the file
    lies in. Folders are walked.
    """
    ratings: list[Rating] = []
    refused: list[tuple[str, Refusal]] = []
    for file in _walked(files):
        project = _document(file)
        folder = os.path.basename(os.path.dirname(os.path.abspath(file)))
        rater = f"{HUMAN}:{PEOPLE}" if folder == PEOPLE else folder
        if not isinstance(project, dict) or not isinstance(project.get("name"), str) or not isinstance(project.get("requirements"), list):
            raise InputError("no project of DevAI: it has a name and requirements", place=file)
        for place, row in enumerate(project["requirements"], start=1):
            try:
                ratings.append(_requirement(project["name"], rater, row))
            except ValueError as error:
                refused.append((file, Refusal(place, str(error))))
    return ratings, refused


def _requirement(project: str, rater: str, row: Any) -> Rating:
    if not isinstance(row, dict) or "satisfied" not in row or word(row.get("requirement_id")) is None:
        raise ValueError("a requirement has a requirement_id and says whether it is satisfied")
    said = row["satisfied"]
    label = ("satisfied" if said else "unsatisfied") if isinstance(said, bool) else word(said)
    category = row.get("category")
    slices = {"category": category} if isinstance(category, str) else {}
    return Rating(item=f"{project}/{word(row['requirement_id'])}", cluster=project, rater=rater, label=label, slice=slices)


def read_pandalm(files: Iterable[str]) -> Taken:
    """PandaLM's test set (arXiv 2306.05087): lists of {"idx", "annotator1" …} and of {"idx", "JUDGE_result"}; 0 a tie, 1, 2 the better one.

    A pair of responses is an item; pairs that answer one instruction with one input are a cluster.
    """
    ratings: list[Rating] = []
    refused: list[tuple[str, Refusal]] = []
    for file in _walked(files):
        rows = _document(file)
        if not isinstance(rows, list):
            raise InputError("no list of PandaLM's test set", place=file)
        for place, row in enumerate(rows, start=1):
            try:
                ratings += _judged(row)
            except ValueError as error:
                refused.append((file, Refusal(place, str(error))))
    return ratings, refused


def _judged(row: Any) -> Iterator[Rating]:
    if not isinstance(row, dict) or (item := word(row.get("idx"))) is None:
        raise ValueError("a row has an idx")
    cluster = None
    if isinstance(row.get("instruction"), str):
        asked = f"{row['instruction']}\n{row.get('input') or ''}"
        cluster = f"instruction-{sha256(asked.encode('utf-8', 'replace')).hexdigest()[:12]}"
    slices = {name: row[name] for name in ("motivation_app", "cmp_key") if isinstance(row.get(name), str)}
    found = [(name, f"{HUMAN}:{name.removeprefix(ANNOTATOR)}") for name in row if name.startswith(ANNOTATOR)]
    found += [(name, name.removesuffix(RESULT)) for name in row if name.endswith(RESULT)]
    if not found:
        raise ValueError("a row has annotator1 … or the result of a judge")
    return iter([Rating(item=item, rater=rater, label=word(row[name]), cluster=cluster, slice=slices) for name, rater in found])


SHAPES: dict[str, Callable[[Iterable[str]], Taken]] = {"devai": read_devai, "pandalm": read_pandalm}


def _walked(files: Iterable[str]) -> Iterator[str]:
    """The files named, and every .json file below the folders named, by name."""
    for file in files:
        if not os.path.isdir(file):
            yield file
            continue
        for folder, inner, names in os.walk(file):
            inner.sort()
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".json"))


def _document(file: str) -> Any:
    return loads(read_text(file), source=file)
