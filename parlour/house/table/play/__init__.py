"""What people do at a table: take seats, move, undo, pass the device on, chat. Each file has one of these, with the
body of its request.
"""
