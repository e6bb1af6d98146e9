"""THE READING: figures and comparisons out of graded trials. Keeps out running, storing and printing."""
