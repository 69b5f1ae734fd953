"""What people show of themselves: a picture, achievements, streaks, and their best moments."""
