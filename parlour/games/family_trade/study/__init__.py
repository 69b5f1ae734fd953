"""What is judged: how good a position is, and what is worth counting. Compiled with the rules."""
