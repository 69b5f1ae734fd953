"""The addresses of tables, and the stream of a table."""
