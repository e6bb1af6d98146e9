"""What the bill reader can do: read a mail, write a bill, and end the transaction one way or the other.

`world` is the trial's own database. What is not committed when the trial ends has not happened.
"""

import sqlite3

from fairtrial import ToolFailed, tool


@tool
def read_email(email_id: int, world: sqlite3.Connection) -> dict[str, str]:
    """One mail from the mailbox, by its number."""
    row = world.execute("SELECT sender, body FROM emails WHERE id = ?", (email_id,)).fetchone()
    if row is None:
        raise ToolFailed(f"there is no mail {email_id}")
    return {"sender": row[0], "body": row[1]}


@tool
def save_bill(user_id: int, card_id: int, currency: str, amount_minor: int, due_date: str, world: sqlite3.Connection) -> dict[str, int]:
    """Write a bill into the open transaction. `amount_minor` is the full amount due, in hundredths; `due_date` as YYYY-MM-DD."""
    try:
        cursor = world.execute(
            "INSERT INTO bills (user_id, card_id, currency, amount_minor, due_date) VALUES (?, ?, ?, ?, ?)",
            (user_id, card_id, currency, amount_minor, due_date),
        )
    except sqlite3.IntegrityError as error:
        raise ToolFailed(f"the bill was not written: {error}") from error
    return {"bill": cursor.lastrowid or 0}


@tool
def commit(world: sqlite3.Connection) -> str:
    """Keep what was written since the last commit."""
    world.commit()
    return "kept"


@tool
def rollback(world: sqlite3.Connection) -> str:
    """Drop what was written since the last commit."""
    world.rollback()
    return "dropped"
