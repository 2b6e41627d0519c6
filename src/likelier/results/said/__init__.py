"""Sentences of the methods paragraph, by what was asked."""
