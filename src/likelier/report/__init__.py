"""Results -> one summary dict -> text, markdown, LaTeX, HTML and JSON."""
