"""What the assistant can look up and do in the shop's books. `world` is the trial's own database.

The books are trusting: they write what they are told. Who may ask for what is for the assistant's guard to see to.
"""

import sqlite3
from typing import Any

from fairtrial import ToolFailed, tool


def rows(world: sqlite3.Connection, query: str, *values: Any) -> list[dict[str, Any]]:
    cursor = world.execute(query, values)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


@tool
def owner_of(order_id: str, world: sqlite3.Connection) -> str | None:
    """The customer whose order it is; none where there is no such order."""
    found = rows(world, "SELECT customer_id FROM orders WHERE id = ?", order_id)
    return found[0]["customer_id"] if found else None


@tool
def list_orders(customer_id: str, world: sqlite3.Connection) -> list[dict[str, Any]]:
    """A customer's orders, with the names of the goods."""
    return rows(
        world,
        "SELECT o.id AS order_id, o.status, group_concat(p.name, ', ') AS goods FROM orders o"
        " JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id"
        " WHERE o.customer_id = ? GROUP BY o.id ORDER BY o.id",
        customer_id,
    )


@tool
def read_order(order_id: str, world: sqlite3.Connection) -> dict[str, Any] | None:
    """One order: where it is, when it was delivered, its items and what was paid for one of each. None where there is none."""
    found = rows(world, "SELECT id AS order_id, status, delivered_on FROM orders WHERE id = ?", order_id)
    if not found:
        return None
    items = rows(world, "SELECT product_id, quantity, price_fen FROM order_items WHERE order_id = ? ORDER BY product_id", order_id)
    return {**found[0], "items": items}


@tool
def read_tickets(customer_id: str, order_id: str, world: sqlite3.Connection) -> list[dict[str, Any]]:
    """A customer's open tickets on one order."""
    return rows(
        world,
        "SELECT id AS ticket, kind, reason, amount_fen FROM tickets WHERE customer_id = ? AND order_id = ? AND status = 'open'",
        customer_id,
        order_id,
    )


@tool
def create_ticket(customer_id: str, order_id: str, kind: str, reason: str, amount_fen: int, world: sqlite3.Connection) -> dict[str, int]:
    """Open a ticket of the kind `refund` or `exchange`. `amount_fen` is what is paid back, in hundredths."""
    try:
        cursor = world.execute(
            "INSERT INTO tickets (customer_id, order_id, kind, reason, amount_fen) VALUES (?, ?, ?, ?, ?)",
            (customer_id, order_id, kind, reason, amount_fen),
        )
    except sqlite3.IntegrityError as error:
        raise ToolFailed(f"no ticket was opened: {error}") from error
    world.commit()
    return {"ticket": cursor.lastrowid or 0}


@tool
def withdraw_ticket(ticket: int, world: sqlite3.Connection) -> dict[str, int]:
    """Withdraw an open ticket."""
    done = world.execute("UPDATE tickets SET status = 'withdrawn' WHERE id = ? AND status = 'open'", (ticket,)).rowcount
    world.commit()
    if not done:
        raise ToolFailed(f"there is no open ticket {ticket}")
    return {"ticket": ticket}


@tool
def search_products(kind: str, at_most_fen: int | None, world: sqlite3.Connection) -> list[dict[str, Any]]:
    """What is in stock of a kind, up to a price where one is given; the best rated first."""
    return rows(
        world,
        "SELECT id AS product_id, name, price_fen, rating, blurb FROM products"
        " WHERE kind = ? AND stock > 0 AND (? IS NULL OR price_fen <= ?) ORDER BY rating DESC, id",
        kind,
        at_most_fen,
        at_most_fen,
    )


@tool
def put_in_cart(customer_id: str, product_id: str, world: sqlite3.Connection) -> dict[str, str]:
    """Put a product into the customer's cart."""
    try:
        world.execute("INSERT OR IGNORE INTO carts VALUES (?, ?)", (customer_id, product_id))
    except sqlite3.IntegrityError as error:
        raise ToolFailed(f"nothing was put into the cart: {error}") from error
    world.commit()
    return {"in_cart": product_id}


@tool
def read_cart(customer_id: str, world: sqlite3.Connection) -> list[str]:
    """The products in a customer's cart."""
    return [row["product_id"] for row in rows(world, "SELECT product_id FROM carts WHERE customer_id = ?", customer_id)]


@tool
def read_passages(world: sqlite3.Connection) -> list[dict[str, str]]:
    """The shop's rules, passage by passage."""
    return rows(world, "SELECT id, words, en, zh FROM passages ORDER BY id")
