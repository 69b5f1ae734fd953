"""Clubs: people who play together, their seasons with divisions, and calendars of what is to come."""
