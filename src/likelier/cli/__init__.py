"""The command line: words -> calls; no statistics here."""

from likelier.cli.app import app, main

__all__ = ["app", "main"]
