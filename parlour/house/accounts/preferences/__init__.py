"""Preferences: those there are, and those that guests have changed."""
