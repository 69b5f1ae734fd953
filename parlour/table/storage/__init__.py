"""Where tables are kept: the schema of the database and its migrations, rows as data, and all reading and writing.

Imports nothing of the table's but `errors` and `settings`.
"""
