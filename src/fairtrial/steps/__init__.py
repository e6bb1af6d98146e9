"""The machinery under the steps: preparing, running, grading, reading. `workflow.py` is its face."""
