"""Where tables are stored: the database's schema and migrations, rows as data, and all reading and writing.

Of the table's parts it imports only `errors` and `settings`.
"""
