"""Hints, and the analysis of finished games."""
