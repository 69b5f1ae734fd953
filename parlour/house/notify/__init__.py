"""Notifications: where people want them, what waits to be sent, its words, and how it is sent."""
