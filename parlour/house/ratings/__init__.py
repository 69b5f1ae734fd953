"""Ratings: the outcomes of games, what is rated, leaderboards, and how accurately people played."""
