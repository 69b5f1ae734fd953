"""Pairings and standings, worked out from a tournament's history alone: `systems` is the door, `kinds` its words.

Everything here is a pure function of its arguments: no database, no clock, no chance but the form's seed. So a house
that restarts pairs the same, and any of it can run in a worker.
"""
