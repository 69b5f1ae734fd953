"""The house's jobs at tables: bots' moves, the time of secret questions, clocks, clearing away.

Imports `play`, because bots move like everyone else.
"""
