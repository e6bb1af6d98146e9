"""What the booking desk can look up and do. Each trial has its own `world`: what one trial books, no other sees."""

from typing import Any

from fairtrial import tool


@tool
def list_rooms(world: dict[str, Any]) -> list[dict[str, Any]]:
    """Every room with its seats, the smallest first."""
    return sorted(world["rooms"], key=lambda room: room["seats"])


@tool
def read_notices(world: dict[str, Any]) -> list[dict[str, Any]]:
    """The notice board: rooms that are closed, and why."""
    return list(world["notices"])


@tool
def book_room(room: str, hour: int, world: dict[str, Any]) -> dict[str, Any]:
    """Book a room for one hour."""
    booking = {"room": room, "hour": hour}
    world["bookings"].append(booking)
    return booking
