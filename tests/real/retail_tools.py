"""The tools of a retail shop, written from what its policy says and what recorded calls were answered.

Each acts on `world`: the tables `users`, `orders` and `products`, records by id. A lookup only reads; whoever changes a record
takes it by its id. Kept out: where the tables come from (`retail_world.py`).
"""

import ast
import operator
from collections.abc import Iterator, Mapping
from typing import Any

from fairtrial import ToolFailed, tool

World = Mapping[str, Mapping[str, Any]]

# An order says nothing of what was never done to it; an answer about an order names every one of these.
LATER = (
    "cancel_reason",
    "exchange_items",
    "exchange_new_items",
    "exchange_payment_method_id",
    "exchange_price_difference",
    "return_items",
    "return_payment_method_id",
)
REASONS = ("no longer needed", "ordered by mistake")
PENDING, MODIFIED = "pending", "pending (item modified)"
SUMS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


@tool
def find_user_id_by_email(email: str, world: World) -> str:
    """The id of the user with this e-mail address."""
    return _found(user["user_id"] for user in world["users"].values() if user["email"].lower() == email.lower())


@tool
def find_user_id_by_name_zip(first_name: str, last_name: str, zip: str, world: World) -> str:
    """The id of the user with this name and postal code."""
    wanted = (first_name.lower(), last_name.lower(), zip)
    return _found(user["user_id"] for user in world["users"].values() if _called(user) == wanted)


@tool
def get_user_details(user_id: str, world: World) -> dict[str, Any]:
    """A user's profile: name, address, payment methods, orders."""
    return _user(world, user_id)


@tool
def get_order_details(order_id: str, world: World) -> dict[str, Any]:
    """An order: items, status, payments, and what was done to it."""
    return _shown(_order(world, order_id))


@tool
def get_product_details(product_id: str, world: World) -> dict[str, Any]:
    """A type of product with all its variants."""
    return _one(world, "products", product_id, "Product not found")


@tool
def get_item_details(item_id: str, world: World) -> dict[str, Any]:
    """One variant of a product."""
    return _variant(world, item_id, "Item not found")[1]


@tool
def list_all_product_types(world: World) -> dict[str, str]:
    """The name and id of every type of product, by name."""
    return dict(sorted((product["name"], product["product_id"]) for product in world["products"].values()))


@tool
def calculate(expression: str) -> str:
    """The value of a sum, rounded to cents."""
    try:
        return str(round(float(_sum(ast.parse(expression, mode="eval").body)), 2))
    except (SyntaxError, ValueError, ArithmeticError) as error:
        raise ToolFailed("Invalid characters in expression") from error


@tool
def transfer_to_human_agents(summary: str) -> str:
    """Hand the user to a person."""
    return "Transfer successful"


@tool
def cancel_pending_order(order_id: str, reason: str, world: World) -> dict[str, Any]:
    """Cancel an order; what was paid goes back the way it came."""
    order = _order(world, order_id)
    _refuse_unless(order["status"] == PENDING, "Non-pending order cannot be cancelled")
    _refuse_unless(reason in REASONS, "Invalid reason")
    refunds = [{**payment, "transaction_type": "refund"} for payment in order["payment_history"]]
    for refund in refunds:
        _pay(world, order, refund["payment_method_id"], -refund["amount"])
    order |= {"status": "cancelled", "cancel_reason": reason, "payment_history": order["payment_history"] + refunds}
    return _shown(order)


@tool
def modify_pending_order_address(
    order_id: str,
    address1: str,
    address2: str,
    city: str,
    state: str,
    country: str,
    zip: str,
    world: World,
) -> dict[str, Any]:
    """Send a pending order elsewhere. An order whose items were modified is pending still."""
    order = _order(world, order_id)
    _refuse_unless(order["status"] in (PENDING, MODIFIED), "Non-pending order cannot be modified")
    order["address"] = {"address1": address1, "address2": address2, "city": city, "state": state, "country": country, "zip": zip}
    return _shown(order)


@tool
def modify_user_address(
    user_id: str,
    address1: str,
    address2: str,
    city: str,
    state: str,
    country: str,
    zip: str,
    world: World,
) -> dict[str, Any]:
    """Change a user's default address."""
    user = _user(world, user_id)
    user["address"] = {"address1": address1, "address2": address2, "city": city, "state": state, "country": country, "zip": zip}
    return user


@tool
def modify_pending_order_payment(order_id: str, payment_method_id: str, world: World) -> dict[str, Any]:
    """Pay a pending order another way."""
    order = _order(world, order_id)
    _refuse_unless(order["status"] in (PENDING, MODIFIED), "Non-pending order cannot be modified")
    balance = _balance(world, order, payment_method_id)
    history = order["payment_history"]
    _refuse_unless(len(history) == 1, "There should be exactly one payment for a pending order")
    paid = history[0]
    _refuse_unless(paid["payment_method_id"] != payment_method_id, "The new payment method should be different from the current one")
    _refuse_unless(balance is None or balance >= paid["amount"], "Insufficient gift card balance to pay for the order")
    _pay(world, order, payment_method_id, paid["amount"])
    _pay(world, order, paid["payment_method_id"], -paid["amount"])
    order["payment_history"] = [*history, {**paid, "payment_method_id": payment_method_id}, {**paid, "transaction_type": "refund"}]
    return _shown(order)


@tool
def modify_pending_order_items(
    order_id: str, item_ids: list[str], new_item_ids: list[str], payment_method_id: str, world: World
) -> dict[str, Any]:
    """Put other variants of the same products into a pending order. It can be done once."""
    order = _order(world, order_id)
    _refuse_unless(order["status"] == PENDING, "Non-pending order cannot be modified")
    pairs = _pairs(order, item_ids, new_item_ids)
    _refuse_unless(all(old["item_id"] != new for old, new in pairs), "The new item id should be different from the old item id")
    variants = [_offered(world, old, new) for old, new in pairs]
    difference = sum(variant["price"] - old["price"] for variant, (old, _) in zip(variants, pairs, strict=True))
    _afford(world, order, payment_method_id, difference)
    _pay(world, order, payment_method_id, difference)
    payment = {
        "transaction_type": "payment" if difference > 0 else "refund",
        "amount": abs(difference),
        "payment_method_id": payment_method_id,
    }
    # Of several items each becomes the new one by its id alone: all were answered with the last one's price and options.
    last = variants[-1] if variants else {}
    for old, new in pairs:
        old |= {"item_id": new, "price": last["price"], "options": last["options"]}
    order |= {"status": MODIFIED, "payment_history": [*order["payment_history"], payment]}
    return _shown(order)


@tool
def exchange_delivered_order_items(
    order_id: str, item_ids: list[str], new_item_ids: list[str], payment_method_id: str, world: World
) -> dict[str, Any]:
    """Ask for other variants of delivered items. Nothing is paid before they are back."""
    order = _order(world, order_id)
    _refuse_unless(order["status"] == "delivered", "Non-delivered order cannot be exchanged")
    pairs = _pairs(order, item_ids, new_item_ids)
    difference = round(sum(_offered(world, old, new)["price"] - old["price"] for old, new in pairs), 2)
    _afford(world, order, payment_method_id, difference)
    order |= {
        "status": "exchange requested",
        "exchange_items": sorted(item_ids),
        "exchange_new_items": sorted(new_item_ids),
        "exchange_payment_method_id": payment_method_id,
        "exchange_price_difference": difference,
    }
    return _shown(order)


@tool
def return_delivered_order_items(order_id: str, item_ids: list[str], payment_method_id: str, world: World) -> dict[str, Any]:
    """Ask to send delivered items back, for the money the way it came or onto a gift card."""
    order = _order(world, order_id)
    _refuse_unless(order["status"] == "delivered", "Non-delivered order cannot be returned")
    balance = _balance(world, order, payment_method_id)
    original = order["payment_history"][0]["payment_method_id"]
    _refuse_unless(balance is not None or payment_method_id == original, "Payment method should be the original payment method")
    _taken(order, item_ids, "Some item not found")
    order |= {"status": "return requested", "return_items": sorted(item_ids), "return_payment_method_id": payment_method_id}
    return _shown(order)


def _refuse_unless(holds: bool, why: str) -> None:
    if not holds:
        raise ToolFailed(why)


def _one(world: World, table: str, key: str, why: str) -> dict[str, Any]:
    _refuse_unless(key in world[table], why)
    found: dict[str, Any] = world[table][key]
    return found


def _order(world: World, order_id: str) -> dict[str, Any]:
    return _one(world, "orders", order_id, "Order not found")


def _user(world: World, user_id: str) -> dict[str, Any]:
    return _one(world, "users", user_id, "User not found")


def _shown(order: dict[str, Any]) -> dict[str, Any]:
    return {**order, **{name: order.get(name) for name in LATER}}


def _found(ids: Iterator[str]) -> str:
    found = next(ids, "")
    _refuse_unless(bool(found), "User not found")
    return found


def _called(user: dict[str, Any]) -> tuple[str, str, str]:
    return user["name"]["first_name"].lower(), user["name"]["last_name"].lower(), user["address"]["zip"]


def _variant(world: World, item_id: str, why: str) -> tuple[str, dict[str, Any]]:
    """The product's id and the variant."""
    for product in world["products"].values():
        if item_id in product["variants"]:
            return product["product_id"], product["variants"][item_id]
    raise ToolFailed(why)


def _offered(world: World, old: dict[str, Any], new: str) -> dict[str, Any]:
    """The variant that is to come for an old item: of the same product, and in stock."""
    why = f"New item {new} not found or available"
    product, variant = _variant(world, new, why)
    _refuse_unless(product == old["product_id"] and variant["available"], why)
    return variant


def _taken(order: dict[str, Any], item_ids: list[str], why: str) -> list[dict[str, Any]]:
    """The items of an order that are meant, each for one of the ids."""
    left = list(order["items"])
    taken = []
    for item_id in item_ids:
        item = next((item for item in left if item["item_id"] == item_id), None)
        if item is None:
            raise ToolFailed(why)
        left.remove(item)
        taken.append(item)
    return taken


def _pairs(order: dict[str, Any], item_ids: list[str], new_item_ids: list[str]) -> list[tuple[dict[str, Any], str]]:
    taken = _taken(order, item_ids, "Some item not found")
    _refuse_unless(len(item_ids) == len(new_item_ids), "The number of items to be exchanged should match")
    return list(zip(taken, new_item_ids, strict=True))


def _balance(world: World, order: dict[str, Any], method: str) -> float | None:
    """What is on a gift card of the order's user; None for any other way of theirs to pay."""
    methods = _user(world, order["user_id"])["payment_methods"]
    _refuse_unless(method in methods, "Payment method not found")
    balance: float | None = methods[method].get("balance")
    return balance


def _afford(world: World, order: dict[str, Any], method: str, amount: float) -> None:
    balance = _balance(world, order, method)
    _refuse_unless(balance is None or balance >= amount, "Insufficient gift card balance to pay for the price difference")


def _pay(world: World, order: dict[str, Any], method: str, amount: float) -> None:
    """Take an amount from a gift card, or give back a negative one; other ways to pay hold no balance here."""
    methods = _user(world, order["user_id"])["payment_methods"]
    if "balance" in methods[method]:
        methods[method]["balance"] = round(methods[method]["balance"] - amount, 2)


def _sum(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_sum(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in SUMS:
        act: Any = SUMS[type(node.op)]
        result: float = act(_sum(node.left), _sum(node.right))
        return result
    raise ValueError(type(node).__name__)
