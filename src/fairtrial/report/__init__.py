"""THE TELLING: one decided object, told in several forms. Keeps out every figure of its own."""
