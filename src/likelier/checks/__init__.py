"""Checks on the data, the method and the answer; each returns a finding or None."""
