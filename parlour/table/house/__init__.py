"""The house: opens the store, keeps the tables in memory, knows the guests, runs the bots' processes, and receives news
from other processes.

Imports `live` and `storage`. The staff that plays bots and handles questions is passed to it (`staff`).
"""
