"""Fortune: push-your-luck dice, 2 to 4 players."""
