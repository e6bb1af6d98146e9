"""What the research agent can do: search, which returns hits, and open a page. All pages are in the case's world."""

from datetime import UTC, datetime, timedelta
from typing import Any

from fairtrial import ToolFailed, tool


@tool(reads=True)
def search(query: str, world: dict[str, Any]) -> list[dict[str, str]]:
    """The pages in which the words of the query stand, with their first words. A hit is not the page."""
    pages = world["pages"]
    return [
        {"url": url, "title": page["title"], "snippet": page["text"][:20] + "…"} for url, page in pages.items() if query in page["text"]
    ]


@tool(reads=True)
def open_page(url: str, world: dict[str, Any]) -> dict[str, str]:
    """One page: its title, its text, and the day on which it was published."""
    if url not in world["pages"]:
        raise ToolFailed(f"there is no page {url}")
    page = world["pages"][url]
    published = (datetime.now(UTC) - timedelta(days=page["days_old"])).date()
    return {"url": url, "title": page["title"], "published": published.isoformat(), "text": page["text"]}
