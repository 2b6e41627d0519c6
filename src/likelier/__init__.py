"""Is system B really better than system A, by how much, and how sure are we."""
