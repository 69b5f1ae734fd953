"""The shapes in which a game is checked, and random play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from parlour.core.contract import CHANCE, TERMINAL, Step
from parlour.core.edition import Edition
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, random_below, seed_rng


@dataclass(frozen=True)
class Case:
    """A game with its setup. `options` holds only those that differ from the default."""

    game: Game
    edition: str | Edition
    players: int
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        changed = (
            "+".join(f"{name}={value}" for name, value in self.options) if len(self.options) < 2 else "all-changed"
        )
        return "-".join(filter(None, (self.game.name, str(self.edition), f"{self.players}p", changed)))

    def match(self, seed: int = 1, auto: bool = False) -> Match:
        return Match(self.game, self.players, edition=self.edition, options=dict(self.options), seed=seed, auto=auto)


def fitting(game: Game, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options that matter in the ruleset that `options` names."""
    ruleset = options.get(RULESET, game.rulesets[0])
    return {o.name: options[o.name] for o in game.facts.options if o.name in options and o.matters(ruleset)}


def all_changed(game: Game, number: int = 0) -> tuple[tuple[str, str], ...]:
    """Return the last value of every option. `number` picks the ruleset, and options that do not
    matter in it are left out."""
    ruleset = (game.rulesets[:0:-1] or game.rulesets)[number % max(1, len(game.rulesets) - 1)]
    values = {option.name: option.values[-1] for option in game.facts.options}
    return tuple(fitting(game, values | ({RULESET: ruleset} if ruleset else {})).items())


def shapes(game: Game) -> Iterator[Case]:
    """Yield every edition with every number of players, with default options and with all of them
    changed; then each other value alone."""
    fewest, most = game.facts.players
    options = game.facts.options
    for edition in game.editions:
        for players in range(fewest, most + 1):
            yield Case(game, edition, players)
            if len(options) > 1:
                yield Case(game, edition, players, all_changed(game, players))
    singles = [(option.name, value) for option in options for value in option.values[1:]]
    for i, single in enumerate(singles):
        yield Case(game, game.edition().name, fewest + i % (most - fewest + 1), (single,))


def short(game: Game) -> list[Case]:
    """Return one case for each edition, for checks that take long."""
    return [Case(game, edition, game.facts.players[1]) for edition in game.editions]


def of_each_ruleset(game: Game) -> list[Case]:
    """Return a case of each ruleset, by turns with the most and the fewest players; both if there is but one."""
    fewest, most = game.facts.players
    rulesets = game.rulesets * (2 if len(game.rulesets) == 1 and fewest < most else 1)
    return [
        Case(game, game.edition().name, fewest if number % 2 else most, ((RULESET, ruleset),) if ruleset else ())
        for number, ruleset in enumerate(rulesets)
    ]


def random_steps(match: Match, seed: int, most: int) -> Iterator[Step]:
    """Play at random, at most `most` steps, and yield each step."""
    rng = [0] * RNG_SIZE
    seed_rng(rng, seed, 0)
    for _ in range(most):
        player = match.current_player
        if player == TERMINAL:
            return
        if player == CHANCE:
            yield match.step(match.game.rules.sample_chance(match.state, rng))
        else:
            legal = match.legal_action_ids()
            yield match.step(legal[random_below(rng, len(legal))])
