"""THE SUMS: numbers in, numbers out. Keeps out every word of the trade: no case, no trial, no verdict."""
