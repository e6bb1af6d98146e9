"""The tools of a list of tasks: the agent's, and those by which a user looks at notifications.

Written from the recorded calls in the domain's own tasks. They act on the live world of JSON.
"""

from typing import Any

from fairtrial import ToolFailed, tool

STATES = ("pending", "completed")


@tool
def create_task(user_id: str, title: str, world: dict[str, Any], description: str | None = None) -> dict[str, Any]:
    """Give a user a new task."""
    if user_id not in world["users"]:
        raise ToolFailed(f"User {user_id} not found")
    task_id = f"task_{len(world['tasks']) + 1}"
    world["tasks"][task_id] = {"task_id": task_id, "title": title, "description": description, "status": "pending"}
    world["users"][user_id]["tasks"].append(task_id)
    return dict(world["tasks"][task_id])


@tool
def update_task_status(task_id: str, status: str, world: dict[str, Any]) -> dict[str, Any]:
    """Say how far a task is."""
    if task_id not in world["tasks"]:
        raise ToolFailed(f"Task {task_id} not found")
    if status not in STATES:
        raise ToolFailed(f"Status must be one of {', '.join(STATES)}")
    world["tasks"][task_id]["status"] = status
    return dict(world["tasks"][task_id])


@tool
def transfer_to_human_agents(summary: str) -> str:
    """Hand the user to a person."""
    return "Transfer successful"


@tool
def add_notification(notification_id: str, message: str, task_id: str, world: dict[str, Any]) -> dict[str, Any]:
    """Tell a user something; it is unread."""
    notification = {"notification_id": notification_id, "message": message, "status": "unread", "task_id": task_id}
    world["notifications"][notification_id] = notification
    return dict(notification)


@tool
def check_notifications(world: dict[str, Any]) -> list[dict[str, Any]]:
    """What the user was told."""
    return list(world["notifications"].values())


@tool
def dismiss_notification(notification_id: str, world: dict[str, Any]) -> dict[str, Any]:
    """The user has read it."""
    if notification_id not in world["notifications"]:
        raise ToolFailed(f"Notification {notification_id} not found")
    world["notifications"][notification_id]["status"] = "read"
    return dict(world["notifications"][notification_id])
