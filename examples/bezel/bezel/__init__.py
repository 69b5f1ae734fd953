"""Bezel: two jewellers fill one brooch, one paid for its rows, the other for its columns. 2 players."""

from parlour.core.facts import Facts, Observed

FACTS = Facts(
    players=(2, 2),
    hidden_information=True,
    longest=93,  # 18 tiles dealt, in the largest hands, and 24 drawn at most; 25 taken and laid
    observed=(
        Observed("stones on the squares", 25, 0, 5),
        Observed("own hand", 5, 0, 9),
        Observed("stone taken", 1, 0, 5),
    ),
)
