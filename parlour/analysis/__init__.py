"""What many games tell: statistics, their tables and their pictures."""
