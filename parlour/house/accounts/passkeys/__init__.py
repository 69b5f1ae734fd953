"""Passkeys: stored ones, challenges, and signing in with them."""
