"""The house: it opens the store, holds the tables in memory, knows the guests, has processes in
which bots think, and hears from other processes.

Imports `live` and `storage`. It is handed the staff that plays bots and sees questions through
(`staff`).
"""
