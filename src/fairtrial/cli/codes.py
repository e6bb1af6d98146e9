"""What a command ends with, where its verb decides that; what goes wrong brings its own (`records/errors.py`)."""

FOUND = 1
"""Something that was asked for by name: a finding, a verdict, a broken case."""
REFUSED = 2
"""Something could not be written."""
UNFINISHED = 3
INVALID = 4
INTERRUPTED = 130
