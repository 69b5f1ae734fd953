"""HTTP: the addresses of the pages and of the API, the stream, refusals in one shape, the server.

Imports everything of the table's; nothing of the table's imports it.
"""
