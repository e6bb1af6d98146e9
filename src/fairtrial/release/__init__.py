"""A policy (a list of gates) and a run → ship, block, or not enough evidence. Keeps out the store, and how any of it is shown."""
