"""Tournaments: many games of one kind, paired and counted by the house."""
