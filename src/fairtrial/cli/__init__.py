"""THE DOOR: one verb a file, each short. Keeps out the work itself, which stands in the rooms below."""
