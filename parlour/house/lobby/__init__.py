"""The lobby: the lists of tables, and the stream that keeps them current."""
