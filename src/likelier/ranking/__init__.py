"""Many systems: their order and their ranks."""
