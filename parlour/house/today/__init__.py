"""Today's game: one seed for everyone in each ruleset and day, against the same bots."""
