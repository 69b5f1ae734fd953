"""Playtests: tables that a designer opens to learn from them, with the consent of each player."""
