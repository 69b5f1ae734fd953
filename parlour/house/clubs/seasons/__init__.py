"""Seasons of clubs: leagues of divisions, between which players rise and fall."""
