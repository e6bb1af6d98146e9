"""Passing trials damaged on purpose, to see which damage the graders of a suite catch."""
