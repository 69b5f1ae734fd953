"""What is worth achieving in Gatsby: the three places, the bonuses, and the ways to win."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parlour.core.contract import Achievement, Step
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import scoring
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.places import top

ACHIEVEMENTS = (
    Achievement("special", "Something special", "Use the Special Action tile on your personal space.", "GA-15"),
    Achievement("force", "By invitation only", "Choose the action of your opponent with a bonus.", "GA-14"),
    Achievement("swap", "In the know", "Look at two characters, and make them change places.", "GA-14"),
    Achievement("top", "The top floor", "Reach the top of the Finance Center.", "GA-11"),
    Achievement("rally", "Talk of the town", "Rally characters of two suits or more in one turn.", "GA-21"),
    Achievement("trio", "Three of a suit", "Win at once with three characters of one suit.", "GA-22"),
    Achievement("suits", "Everyone came", "Win at once with a character of each suit.", "GA-22"),
    Achievement("prestige", "Prestige", "Win by prestige when no character is left to rally.", "GA-23"),
)
ENDINGS = {s.TRIO: "trio", s.ALL_SUITS: "suits"}


def achieved(steps: Sequence[Step]) -> Iterator[tuple[str, int, int]]:
    """Yield what each step achieved, and the end of the game."""
    for at, step in enumerate(steps):
        yield from ((key, seat, at) for key, seat in _step(step))
    state, last = steps[-1].after, len(steps) - 1
    if state.ending in ENDINGS:
        yield ENDINGS[state.ending], state.winner, last
    elif state.ending == s.PRESTIGE and (lead := scoring.margin(state, 0, state.up)):
        yield "prestige", 0 if lead > 0 else 1, last


def _step(step: Step) -> Iterator[tuple[str, int]]:
    before, after, seat = step.before, step.after, step.before.player
    kind, arg = before.due_kind[before.due - 1], before.due_arg[before.due - 1]
    if kind == s.ACTION and step.action == s.USE:
        yield "special", seat
    elif kind == s.BONUS and arg == p.FORCE and step.action == s.YES:
        yield "force", seat
    elif kind == s.EXCHANGE and step.action == s.YES:
        yield "swap", seat
    for one in range(2):
        if after.level[one] > before.level[one] and after.level[one] == top(after):
            yield "top", one
        if after.turns > before.turns:  # the turn is over, and its player knows all that was rallied in it
            fresh = (slot for slot in range(p.N_SLOTS) if after.fresh >> slot & 1 and after.owner[slot] == one)
            if len({after.char[slot] // p.OF_SUIT for slot in fresh}) > 1:
                yield "rally", one
