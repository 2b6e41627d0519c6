"""Logs of evaluation tools: one module per tool, and what all of them share."""
