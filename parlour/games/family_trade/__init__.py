"""Family Trade: collect sets and be paid what the market says, 2 to 4 players, three rulesets."""
