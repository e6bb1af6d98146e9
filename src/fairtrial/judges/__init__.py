"""Models asked about what an agent did: the question, the strict reading of the reply, and what several answers come to."""
