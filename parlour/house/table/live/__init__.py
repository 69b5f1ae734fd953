"""A table in memory: its match, its journal, an open question; the view that each guest has, and what they see in it.

Imports `storage`, whose rows it is made from. It writes nothing and starts nothing.
"""
