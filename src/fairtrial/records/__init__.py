"""The words: frozen records with no input or output, one noun a file."""
