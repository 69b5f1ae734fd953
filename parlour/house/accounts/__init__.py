"""Accounts: names, sessions, passkeys, lost passwords, preferences, leaving, and the export of a person's data."""
