"""Games played to their end for pages that show them, and judgements on them without a search."""

from __future__ import annotations

import random
from collections.abc import Iterator

from parlour import bots
from parlour.analysis import evaluation
from parlour.analysis.evaluation import Judgement
from parlour.analysis.shapes import Shape, shapes
from parlour.bots import View
from parlour.core.match import Match
from parlour.games import all_games

NAMES = ("Bartholomew Roberts", "Anne Bonny", "Grace O'Malley", "Ching Shih", "Mary Read", "Jack Rackham")


def every_ruleset(*, most: bool = True) -> Iterator[Shape]:
    """Yield each game in each of its rulesets, with the most players (or the fewest)."""
    for game in all_games().values():
        seen = set()
        for shape in shapes(game, players=game.facts.players[most]):
            if shape.ruleset not in seen:
                seen.add(shape.ruleset)
                yield shape


def played(shape: Shape, seed: int = 11, *, all_random: bool = False) -> Match:
    """Play a game to its end, between bots that think little."""
    match = Match(shape.game, edition=shape.edition, options=shape.options, seed=seed, names=NAMES[: shape.players])
    known = bots.simulated(shape.game)
    seated = [bots.find(shape.game, known[-1 if all_random else seat % len(known)]) for seat in range(shape.players)]
    while not match.over:
        match.play(seated[match.current_player].choose(View.of(match, match.current_player)))
    return match


def made_up(match: Match) -> list[Judgement]:
    """Return a judgement on each decision, with marks of every kind; the numbers are arbitrary."""
    choice, players = random.Random(3), len(match.names)
    chances, judged = [1 / players] * players, []
    for one in evaluation.decisions(match):
        chances = [max(0.02, chance + choice.uniform(-0.04, 0.04)) for chance in chances]
        chances = [chance / sum(chances) for chance in chances]
        before, seat = chances[one.view.seat], one.view.seat
        after = max(0.0, before - choice.choice((0.0,) * 9 + (0.06, 0.12, 0.2)))
        state, legal = one.view.state(match.game), [0] * match.game.rules.MAX_LEGAL
        number = match.game.rules.legal_actions(state, legal)
        other = next(action for action in legal[:number] if action != one.action)
        say = match.game.text.format_action
        judged.append(
            Judgement(
                one.step, seat, say(state, one.action), before, after, 0.0, say(state, other), other, before, False,
                tuple(chances), 0, 0.8 * before,
            )
        )  # fmt: skip
    return judged
