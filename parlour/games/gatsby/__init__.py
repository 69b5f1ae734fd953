"""Gatsby: influence in three places, and people to win over; 2 players."""
