"""Load: people who play at tables over real HTTP, to measure a house from outside.

It imports nothing else of the table: what it knows of a house is what any browser knows.
"""
