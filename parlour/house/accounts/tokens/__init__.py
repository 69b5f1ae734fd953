"""API tokens: with one, a program acts for an account."""
