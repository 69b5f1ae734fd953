"""Facets of Fortune: a gem market that rises, crashes and can be cornered, 2 to 4 players."""
