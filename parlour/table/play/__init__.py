"""What people do at a table: take seats, move, take back, pass the device on, ask for a hint, talk. A file for each,
with the body that is sent for it.

Imports `house` and what stands below it.
"""
