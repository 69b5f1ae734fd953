"""Tournaments: who plays whom, and how they stand."""
