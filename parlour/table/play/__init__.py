"""What people do at a table: take seats, move, undo, pass the device on, ask for a hint, chat. Each file has one of
these, with the body of its request.

Imports `house` and the parts below it.
"""
