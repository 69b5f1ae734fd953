"""Play now: the queue, and who is paired with whom."""
