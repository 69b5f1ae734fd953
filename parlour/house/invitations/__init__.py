"""Invitations: to a seat reserved by link, by an account's name or to a rematch."""
