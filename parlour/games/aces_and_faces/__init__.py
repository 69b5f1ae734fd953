"""Aces & Faces: move round a loop, collect four of a rank or of a suit, duel for what is missing; 2 to 6 players."""
