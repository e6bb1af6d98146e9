"""Research agents that read the same pages. `careful` answers from them; each of the others spoils one thing about that answer.

An answer is a text with a mark behind every statement, the claims that the marks lead to, and an outlook that is marked as such.
"""

import re
from datetime import UTC, datetime
from typing import Any

import fairtrial as ft

ALLOWED = ("https://roads.example.org/", "https://archive.example.org/")
TOO_OLD = 1500
OUTLOOK = {"en": "The limit will hardly be lifted before the next inspection.", "zh": "下次检查之前，限重预计不会取消。"}
OPINION = {"en": "Lorries should be kept off it for good.", "zh": "货车应该永远禁止通行。"}
LOOSE = {"en": "It carries most of the traffic of the valley.", "zh": "山谷里的大部分车辆都从桥上经过。"}
FIGURE = {"en": "It carries 12,400 vehicles a day [1].", "zh": "每天有一万二千四百辆车经过[1]。"}
Answer = dict[str, Any]
Pages = dict[str, dict[str, Any]]


def careful(brief: ft.Brief, desk: ft.Desk) -> Answer:
    return answered(brief, [page for page in read(brief, desk).values() if is_fit(page)])


def made_up_source(brief: ft.Brief, desk: ft.Desk) -> Answer:
    """The source of the first claim sounds right, and was never opened: there is none."""
    answer = careful(brief, desk)
    answer["claims"][0]["url"] = "https://roads.example.org/inspections"
    return answer


def not_what_it_says(brief: ft.Brief, desk: ft.Desk) -> Answer:
    """The first claim is pinned on a page that was opened and says nothing of it."""
    answer = careful(brief, desk)
    first, other = answer["claims"][0], answer["claims"][1]
    first["url"], first["date"] = other["url"], other["date"]
    return answer


def forbidden_source(brief: ft.Brief, desk: ft.Desk) -> Answer:
    """What it says is right, and stands on a page that may not be used."""
    pages = read(brief, desk)
    return answered(brief, [page for page in pages.values() if not page["url"].startswith(ALLOWED)] + [*filter(is_fit, pages.values())])


def old_source(brief: ft.Brief, desk: ft.Desk) -> Answer:
    """The first page that says it will do, however old."""
    pages = [page for page in read(brief, desk).values() if page["url"].startswith(ALLOWED)]
    return answered(brief, sorted(pages, key=lambda page: str(page["published"])))


def redated_source(brief: ft.Brief, desk: ft.Desk) -> Answer:
    """The same old page, said to be of today."""
    answer = old_source(brief, desk)
    for claim in answer["claims"]:
        claim["date"] = datetime.now(UTC).date().isoformat()
    return answer


def half_the_answer(brief: ft.Brief, desk: ft.Desk) -> Answer:
    """It stops after the first thing that was asked for."""
    pages = [page for page in read(brief, desk).values() if is_fit(page)]
    return answered(brief, pages, brief.facts["asked"][:1])


def bare_opinion(brief: ft.Brief, desk: ft.Desk) -> Answer:
    """What it thinks, told among the facts."""
    return said_as_well(careful(brief, desk), OPINION[brief.facts["language"]])


def loose_end(brief: ft.Brief, desk: ft.Desk) -> Answer:
    """A conclusion that leads to no source."""
    return said_as_well(careful(brief, desk), LOOSE[brief.facts["language"]])


def invented_figure(brief: ft.Brief, desk: ft.Desk) -> Answer:
    """The figure has a mark behind it, as if the first source said so."""
    return said_as_well(careful(brief, desk), FIGURE[brief.facts["language"]])


def read(brief: ft.Brief, desk: ft.Desk) -> Pages:
    """Every page on the subject, opened."""
    hits = desk.call("search", query=brief.facts["subject"])
    return {hit["url"]: desk.call("open_page", url=hit["url"]) for hit in hits}


def is_fit(page: dict[str, Any]) -> bool:
    """Whether a page may be used: from where it comes, and of what day it is."""
    published = datetime.fromisoformat(page["published"]).replace(tzinfo=UTC)
    return page["url"].startswith(ALLOWED) and (datetime.now(UTC) - published).days < TOO_OLD


def answered(brief: ft.Brief, pages: list[dict[str, Any]], asked: list[str] | None = None) -> Answer:
    """The first sentence on each thing that was asked for, with the page on which it stands."""
    claims: list[dict[str, Any]] = []
    for word in asked or brief.facts["asked"]:
        page, sentence = next((page, sentence) for page in pages for sentence in sentences(page["text"]) if word in sentence)
        claim = {"claim": sentence, "url": page["url"], "quote": sentence, "date": page["published"]}
        claims.append({"id": str(len(claims) + 1), **claim})
    text = " ".join(f"{claim['claim'][:-1]} [{claim['id']}]{claim['claim'][-1]}" for claim in claims)
    return {"answer": text, "outlook": OUTLOOK[brief.facts["language"]], "claims": claims}


def sentences(text: str) -> list[str]:
    return [found.strip() for found in re.findall(r"[^.。]+[.。]", text)]


def said_as_well(answer: Answer, more: str) -> Answer:
    return {**answer, "answer": f"{answer['answer']} {more}"}
