"""Fortune, studied: the turn and the game for two, solved, and the commands about them."""
