"""Methods for items: how their sums could have been otherwise; none knows another."""
