"""WHAT IS CHECKED: one file a kind of check. Keeps out every means to change what happened."""
