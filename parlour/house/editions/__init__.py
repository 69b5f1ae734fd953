"""Editions of people's own: the page on which they change values, and what a new table takes of them."""
