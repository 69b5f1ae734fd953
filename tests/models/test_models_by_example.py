"""The models themselves, compared with the examples in the rules."""

from __future__ import annotations

import pytest

from parlour.games import find
from tests.models.aces_and_faces import Model as AcesAndFaces
from tests.models.fortune import Model as Fortune


@pytest.mark.parametrize(
    ("card", "dice", "worth"),
    [
        ("captain", "2 skull 2 diamond 2 gold 2 parrot", 800),
        ("gold", "3 monkey 3 sword 2 parrot", 300),
        ("gold", "8 gold", 5_400),
        ("captain", "8 sword", 9_000),
        ("monkey-business", "2 monkey 1 parrot 2 gold 3 diamond", 1_200),
        ("sea-battle-2", "4 monkey 2 sword 2 gold", 1_200),
    ],
)
def test_fo_turn_scores(card: str, dice: str, worth: int) -> None:
    """The examples at the end of the clauses."""
    game = find("fortune")
    model = Fortune(2, game.edition().parts, game.options())
    words = dice.split()
    faces = [face for n, face in zip(words[::2], words[1::2], strict=True) for _ in range(int(n))]
    for text in ("seat 1 starts", f"card {card}", "dice " + " ".join(faces)):
        model.apply(text)
    assert model.moves() >= {"stop"}
    model.apply("stop")
    assert model.totals == [worth, 0]


@pytest.mark.parametrize("edition", ["loop-36", "loop-24"])
@pytest.mark.parametrize(("number", "either", "other"), [("4D", "QD", "KS"), ("7D", "AC", "JD")])
def test_af_02_where_numbers_lead(edition: str, number: str, either: str, other: str) -> None:
    """The two examples of the rulebook, on both boards: from some corner the number leads to just these cards."""
    game = find("aces-and-faces")
    found = []
    for suit in ("diamonds", "clubs", "hearts", "spades"):
        reached = set()
        for way in ("clockwise", "anticlockwise"):
            model = AcesAndFaces(2, game.edition(edition).parts, game.options())
            for text in ("seat 1 starts", f"corner {suit}", f"corner {suit}", f"card {number}", way):
                model.apply(text)
            reached |= model.hands[0]
        found.append(reached)
    assert {either, other} in found
