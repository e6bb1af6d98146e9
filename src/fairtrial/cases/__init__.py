"""WHAT IS ASKED: loading, static findings and the library of cases. Keeps out the running and the grading of them."""
