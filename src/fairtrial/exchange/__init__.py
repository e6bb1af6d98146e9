"""THE BORDER: foreign formats in and out. Keeps out the shelf and the reading: it turns their records into ours and back."""
