"""What the house does by itself: bots' moves, the time of secret questions, the analysis of finished games.

Imports `play`, because bots move like everyone else, and the parts below it.
"""
