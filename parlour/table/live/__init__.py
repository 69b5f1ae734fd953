"""A table in memory: its match, its journal, an open question; who looks at it with whose eyes, and what they see.

Imports `storage`, whose rows it is made of. It writes nothing down and starts nothing.
"""
