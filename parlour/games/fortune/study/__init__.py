"""Fortune, studied: the turn and the game for two, solved, and what the commands tell of them."""
