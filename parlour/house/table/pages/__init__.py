"""A table as one guest may see it, as data and as changes between two drawings."""
