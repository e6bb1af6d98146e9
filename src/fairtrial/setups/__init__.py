"""WHO IS TRIED: one agent, one agent with retries, a team, and the ways in. Keeps out the answers: it knows the Brief alone."""
