"""What the house does by itself: bots' moves, the time of secret questions, the analysis of finished games.

Imports `play`, since bots move like everybody, and what stands below it.
"""
