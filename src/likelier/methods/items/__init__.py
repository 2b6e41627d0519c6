"""Methods for items; none knows another."""
