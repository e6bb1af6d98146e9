"""WHERE IT HAPPENS: the world of one trial, its tools and its faults. Keeps out the answers: it knows the Scene alone."""
