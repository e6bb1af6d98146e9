"""THE ACT: planning, conducting and recording trials. Keeps out the answers and the graders."""
