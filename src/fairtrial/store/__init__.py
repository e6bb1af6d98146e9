"""THE SHELF: where trials and grades are kept. Keeps out what they mean: nothing here grades, counts or prints."""
