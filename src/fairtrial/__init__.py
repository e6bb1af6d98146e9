"""Fair trials for agents and agent teams: run them, grade them, and compare them honestly."""

__version__ = "0.1.0"
