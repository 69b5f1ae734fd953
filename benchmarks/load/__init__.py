"""Load: simulated people who play at tables over real HTTP, to measure a house from outside.

It imports nothing else of the table: it knows of a house only what any browser knows.
"""
