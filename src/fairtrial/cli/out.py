"""What a verb says: one page or one JSON document on standard output, all else on standard error.

While a verb is at work the real standard output is set aside and its number points at standard error, so that whatever an
agent, a tool or a library prints can never mix with the page or the document.
"""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from fairtrial.records.errors import Unwritable
from fairtrial.records.text import dumps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from fairtrial.report.sheet import Sheet
    from fairtrial.report.words import Words


@contextmanager
def written() -> Iterator[None]:
    """What goes wrong while standard output is written is told as that; a reader that has gone is no error."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        mend = "look at where it is sent: a full disk, or a file that is closed"
        raise Unwritable(f"standard output cannot be written: {error.strerror or error}", mend=mend) from error


class Out:
    """The options that every verb has, and the two ways to say something."""

    def __init__(self, *, as_json: bool = False, quiet: bool = False, store: str | None = None, lang: str | None = None) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.store = store
        self._lang = lang
        self._kept: IO[str] | None = None
        self._kept_store = store

    def keep_store_of(self, start: str) -> None:
        """What to type next must find the store that a suite's run went to; where it would not, the last line names it."""
        from fairtrial.store.location import find_store

        used = find_store(start, self.store)
        self._kept_store = None if used == find_store(".") else used

    def __enter__(self) -> Out:
        """Set the real standard output aside; where it is no real file (a test, an embedding), it stays as it is."""
        try:
            number = sys.stdout.fileno()
            sys.stdout.flush()
            kept = os.dup(number)
            os.dup2(sys.stderr.fileno(), number)
        except (AttributeError, OSError, ValueError):
            return self
        self._kept = os.fdopen(kept, "w", encoding="utf-8", errors="backslashreplace")
        self._number = number
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._kept is None:
            return
        sys.stdout.flush()
        os.dup2(self._kept.fileno(), self._number)
        try:
            self._kept.close()
        except OSError:
            if error is None:
                raise
        finally:
            self._kept = None

    @property
    def page(self) -> IO[str]:
        """Where pages and documents go."""
        page: IO[str] | None = self._kept or sys.stdout
        if page is None:
            raise Unwritable("standard output cannot be written: it is closed", mend="send it somewhere")
        return page

    @property
    def words(self) -> Words:
        """The phrases in the language that was chosen. Raises InputError for one that is not there."""
        from fairtrial.report.words import Words, language

        return Words(language(self._lang))

    def document(self, value: Any) -> None:
        """The one JSON document."""
        with written():
            self.page.write(dumps(value) + "\n")
            self.page.flush()

    def show(self, *sheets: Sheet) -> None:
        """Pages, one below the other."""
        from fairtrial.report.terminal import console, draw

        with written():
            screen = console(self.page)
            for place, sheet in enumerate(sheets):
                if place:
                    screen.print()
                draw(self._placed(sheet), screen)
            self.page.flush()

    def _placed(self, sheet: Sheet) -> Sheet:
        """The page, with the store named in the command to type next where it is not the one found from here."""
        if self._kept_store:
            sheet.add_to_next(f"--store {shlex.quote(self._kept_store)}")
        return sheet

    def tell(self, value: Any, *pages: Callable[[], Sheet]) -> None:
        """The value as the document with --json, else its pages; pages are made only when they are shown."""
        if self.as_json:
            self.document(value)
        else:
            self.show(*(page() for page in pages))

    def text(self, text: str) -> None:
        """Text of a format of its own (Markdown, a JSON Schema), as it stands."""
        with written():
            self.page.write(text if text.endswith("\n") else text + "\n")
            self.page.flush()

    def warn(self, message: str) -> None:
        """Something is wrong that does not end the verb; on standard error, --quiet or not."""
        from fairtrial.records.text import terminal_safe

        print(terminal_safe(message), file=sys.stderr, flush=True)

    def aside(self, message: str) -> None:
        """A word beside the page, on standard error; --quiet drops it."""
        if not self.quiet:
            self.warn(message)
