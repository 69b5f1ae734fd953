"""How good a position is, why a decision is good, and what is worth counting. Compiled with the rules."""
