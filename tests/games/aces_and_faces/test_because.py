"""What is said for decisions of Aces & Faces is true: against what squares do, and every card that may come."""

from __future__ import annotations

from collections.abc import Callable

from parlour.core.contract import Ground
from parlour.core.struct import copy
from parlour.games import find
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from tests.games.said import outcomes, said, then

GAME = find("aces-and-faces")


def of_line(hand: int, line: int) -> int:
    """Cards of a rank (0 to 3) or a suit (4 to 7) in a hand, card by card."""
    held = [card for card in range(c.N_CARDS) if hand >> card & 1]
    return sum(card % 4 == line if line < 4 else card // 4 == line - 4 for card in held)


def cards(state: r.State, wanted: object) -> tuple[int, int]:
    """Return how many cards of the pile are of the wanted kind, and how many there are."""
    out, weights = [0] * r.MAX_OUTCOMES, [0] * r.MAX_OUTCOMES
    n = GAME.rules.chance_outcomes(state, out, weights)
    fit = sum(weight for kind, weight in zip(out[:n], weights[:n], strict=True) if wanted(then(GAME, state, kind)))  # type: ignore[operator]
    return fit, sum(weights[:n])


def paces(state: r.State, corner: int) -> list[list[tuple[str, int]]]:
    """AF-2: the squares to which each number leads from a corner, by name and by sides of the loop further on."""
    suit, found = corner - r.CORNER, []
    for number in range(2, 11):
        squares = []
        for steps in (number, -number):
            square = state.board[(state.corner[suit] + steps) % state.squares]
            name = "JQKA"[square % 4] if square < c.N_CARDS else "match" if square < c.HIGHER_LOWER else str(square)
            of = square // 4 if square < c.N_CARDS else square - c.MATCH if square < c.HIGHER_LOWER else suit
            squares.append((name, (of - suit) % 4))
        found.append(sorted(squares))
    return found


def true(state: r.State, action: int, ground: Ground) -> bool:
    """Return whether the ground is true."""
    about, seat, hand = ground.about, state.player, state.hands[state.player]
    after = then(GAME, state, action)
    match ground.what:
        case "alike":
            return paces(state, action) == paces(state, r.CORNER)
        case "line":
            if state.phase == r.DUEL:  # the card that is dueled for
                return of_line(hand | 1 << after.named, about[1]) == about[0]
            return of_line(after.hands[seat], about[1]) == about[0] == of_line(hand, about[1]) + 1
        case "keeps":
            return of_line(after.hands[seat], about[1]) == about[0] >= 2
        case "returns":
            other = then(GAME, state, r.CLOCKWISE + r.ANTICLOCKWISE - action)
            return bool(hand >> about[0] & 1) and not other.hands[seat] >> about[0] & 1
        case "guess":
            n, whole, higher, against = about
            if state.phase == r.MOVE:
                after = then(GAME, after, r.HIGHER if higher else r.LOWER)
            return against == state.number and cards(after, lambda one: one.news != r.WRONG) == (n, whole)
        case "match":
            return cards(after, lambda one: one.news != r.NO_MATCH) == about[:2]
        case "stake":
            named = [then(GAME, state, r.CARD + card) for card in range(c.N_CARDS) if r.choice(state) >> card & 1]
            first = [then(GAME, named[0], kind) for kind in outcomes(GAME, named[0])]
            lost = [
                then(GAME, one, kind) for one in first if one.phase == r.DUEL_SECOND for kind in outcomes(GAME, one)
            ]
            return any(one.phase == r.GIVE for one in lost)
    return False


def test_what_is_said_holds_whichever_card_comes(size: Callable[[int, int], int]) -> None:
    met = set()
    for state, action, ground in said(GAME, size(1, 2), most=200, each=3):
        assert true(copy(state), action, ground), (ground, state.phase, action)
        met.add(ground.what)
    assert met == {"alike", "line", "keeps", "returns", "guess", "match", "stake"}


def test_corners_that_differ_are_not_said_to_be_alike() -> None:
    """AF-2: the square beside one corner is moved away."""
    state = next(state for state, _, ground in said(GAME, 1) if ground.what == "alike")
    state = copy(state)
    one, two = state.corner[0] + 2, state.corner[0] + 3
    state.board[one], state.board[two] = state.board[two], state.board[one]
    assert GAME.grounds is not None
    assert GAME.grounds.grounds(state, r.CORNER) == []
    assert paces(state, r.CORNER) != paces(state, r.CORNER + 1)
