"""What the house does at tables by itself: bots' moves, the time of secret questions, clocks, clearing away.

Imports `play`, because bots move like everyone else.
"""
