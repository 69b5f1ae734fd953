"""Puzzles: positions in which one decision is best, for everyone; a daily one, ratings and streaks."""
