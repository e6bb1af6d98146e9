"""What the scripted model answers, role by role.

A script is given what its role is shown, and nothing else. Its answer goes into the state of the talk. With `calls`, [(tool,
arguments)], the role is asked again when the tools have answered; what they said stands in the `trail`.
"""

from scripts.front import guard, reply, router
from scripts.questions import answerer
from scripts.shopping import recommender
from scripts.tickets import executor, follow_up, planner, skills

SCRIPTS = {
    "router": router,
    "guard": guard,
    "skills": skills,
    "planner": planner,
    "executor": executor,
    "follow_up": follow_up,
    "recommender": recommender,
    "answerer": answerer,
    "reply": reply,
}
