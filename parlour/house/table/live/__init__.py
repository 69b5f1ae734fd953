"""A table in memory: its match, its journal, an open question; whose eyes each guest looks with, and what they see.

Imports `storage`, whose rows it is made from. It writes nothing and starts nothing.
"""
