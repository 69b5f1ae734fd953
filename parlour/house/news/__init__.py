"""News between a house's processes: what has changed where, who is looking at what, and who has vanished."""
