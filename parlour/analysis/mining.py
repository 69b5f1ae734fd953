"""Puzzles mined from games between bots of mixed levels, in blocks of one game.

A decision becomes a puzzle if one choice is best beyond doubt: it is LEAST better than every other that was compared,
by what hints ask, and again by a closer look (`valuing`) with other draws, by more than SURE standard errors; and the
best level makes it. Where the game's solver is exact, its values decide. So what is beyond doubt is what a search or
games played on find; they can err where their value of positions, or their play, does.

A `quick` way looks closely only where a glance (a short search, or the network) and the bot that looks one step ahead
differ. That takes a fraction of the time, and finds fewer of the puzzles that both miss.

Each bot is asked what it would do, with draws of its own each time. What all of them find is not a puzzle. All bots'
games have mistakes, since each seat has a level of its own and makes some decisions at another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

import msgspec
from msgspec import structs

from parlour import bots
from parlour.analysis import difficulty, themes
from parlour.analysis.evaluation import FEW, Decision, decisions
from parlour.analysis.plans import Given, Plan
from parlour.analysis.valuing import Valuer
from parlour.bots import SearchBot, View, levels, solved
from parlour.core.contract import CHANCE
from parlour.core.edition import Edition
from parlour.core.errors import BadSetup
from parlour.core.fair import seed_of
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.puzzle import Collection, Puzzle, Value, key_of
from parlour.core.replay import replay
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import flatten
from parlour.engine.interpreted import Engine

HERE = __name__
SCHEME = "parlour-puzzles-1"
SIMULATIONS = 1_000  # a decision in the first search
GLANCE = 150  # of a short search
DEEPER = 10  # times as many in the search that checks it
LEAST, LEAST_EXACT = 0.10, 0.02  # the chance that every other choice costs; exact values leave no doubt
RANDOM = "random"  # the bot that finds nothing but by luck
SURE = 3.0  # standard errors
FEWEST = 3  # legal decisions
ASKED = 8  # answers of each bot
WRONG = 2  # of all answers at least, or it is not a puzzle
SLOW = 3_000  # simulations above which a bot answers only once
PLAYED = 400  # simulations of a bot while it plays
A_GAME = 3  # puzzles of one game at most
APART = 6  # steps between two puzzles of a game, at least
PLACES = 4  # decimals of a chance
KEPT = 6  # values of a puzzle that its file keeps


class Way(msgspec.Struct, frozen=True):
    """What is mined: `game` is its name and its package, `edition` one of its own; with all `options`."""

    game: tuple[str, str]
    edition: str
    options: dict[str, str]
    players: int
    least: float
    seed: int = 1
    simulations: int = SIMULATIONS
    quick: bool = False


def way_of(
    game: Game, *, edition: str | None = None, options: Mapping[str, str] | None = None, players: int | None = None,
    least: float | None = None, seed: int = 1, simulations: int = SIMULATIONS, quick: bool = False,
) -> Way:  # fmt: skip
    """Return how puzzles of a game are mined; `least` is the chance that every other choice costs. Raises UnknownName,
    BadSetup (players, options; an edition that is not the game's own)."""
    box: Edition = game.named(edition)
    chosen = game.options(options or {})
    number = players or game.facts.players[0]
    game.start(number, box, chosen)
    usual = LEAST_EXACT if solved.exact(game, number) else LEAST
    if not 0 < (least or usual) < 1 or simulations < 1:
        raise BadSetup("At least one simulation is needed, and a margin above 0 and below 1.")
    if quick and game.policy is None:
        raise BadSetup(f"{game.name} has no policy, so no bot looks one step ahead. Mine it without `quick`.")
    return Way((game.name, game.package), box.name, chosen, number, least or usual, seed, simulations, quick)


def plan(way: Way, games: int) -> Plan:
    """Return the plan that mines this many games, a block each. Raises BadSetup without a game."""
    if games < 1:
        raise BadSetup("At least one game is needed.")
    blocks = [{"number": one} for one in range(games)]
    return Plan(f"{HERE}:block", msgspec.to_builtins(way), blocks, (way.game[0],))


def block(common: Given, given: Given) -> bytes:
    """Play one game and return its puzzles, as JSON."""
    from parlour.bots import worker

    way = msgspec.convert(common, Way)
    game = Game(*way.game)
    number = int(str(given["number"]))
    return msgspec.json.encode(_Miner(way, game, worker.warm(game), number).puzzles())


def collected(way: Way, results: Sequence[bytes], wanted: int, command: str) -> Collection:
    """Return the puzzles of all blocks as a file keeps them: rated, of all ratings, the easiest first. Raises BadSetup
    without any puzzle."""
    game = Game(*way.game)
    every = [one for data in results for one in msgspec.json.decode(data, type=list[Puzzle])]
    found = list({one.values: one for one in every}.values())  # what is worth the same is the same position
    if not found:
        raise BadSetup("No decision of these games is a puzzle. Try more games.")
    rated, _ = difficulty.ratings([one.found for one in found])
    found = [structs.replace(one, rating=rating) for one, rating in zip(found, rated, strict=True)]
    exact = solved.exact(game, way.players)
    made = Collection(
        game.name, game.rules.VERSION, way.edition, game.named(way.edition).parts, way.options, way.players, command,
        0 if exact else DEEPER * way.simulations, way.least,
        tuple(_chosen(found, wanted)),
    )  # fmt: skip
    return structs.replace(made, puzzles=tuple(_themed(game, made, one) for one in made.puzzles))


def _chosen(found: Sequence[Puzzle], wanted: int) -> list[Puzzle]:
    """Return the puzzles to keep, of all ratings, the easiest first. What a look one step ahead always finds fills
    what the others leave."""
    apart = [one for one in found if not _at_once(one)]
    kept = [apart[place] for place in difficulty.spread([one.rating for one in apart], wanted)]
    easy = [one for one in found if _at_once(one)]
    kept += [easy[place] for place in difficulty.spread([one.rating for one in easy], wanted - len(kept))]
    return sorted(kept, key=lambda one: one.rating)


def _at_once(one: Puzzle) -> bool:
    right, of = one.found.get("greedy", (0, 1))
    return right == of


def _themed(game: Game, made: Collection, one: Puzzle) -> Puzzle:
    """Return a puzzle with the themes that its game finds in it."""
    match = replay(made.record(one), lambda _: game)
    state = View.of(match, one.seat).state(game)
    mine = themes.own(game, state, game.read_action(state, one.best))
    return structs.replace(one, themes=(*one.themes, *mine))


def again(game: Game, view: View, label: str) -> View:
    """Return the view with other draws: what its seat cannot know is dealt anew, and a bot's luck is another. The same
    label gives the same view."""
    seed = Random(f"{SCHEME}/{view.seed}/{label}").getrandbits(56)
    state, rng = view.state(game), [0] * RNG_SIZE
    seed_rng(rng, seed, 1 << 16)
    game.rules.resample(state, view.seat, rng)
    return replace(view, numbers=tuple(flatten(state)), seed=seed, origin=seed, trail=())


def asked(game: Game) -> tuple[str, ...]:
    """Return the bots whose answers say how hard a puzzle is, the best first: all but the random one, the solver's
    best, whose answers are the solutions where it is exact, the level that thinks for seconds, and the one that a level
    is named for."""
    left_out = (RANDOM, levels.MASTER, levels.LEARNED, *solved.names(game)[:1])
    return tuple(name for name in bots.names(game) if name not in left_out)


def mixed(way: Way, game: Game, engine: Engine, number: int) -> Match:
    """Play a game in which each seat has a level of its own, and makes some decisions at another."""
    luck = Random(f"{SCHEME}/{way.seed}/{number}")
    seed = seed_of(f"{SCHEME}/{way.seed}/{number}")
    match = Match(game, way.players, edition=way.edition, options=way.options, seed=seed)
    names = asked(game)
    players = {name: _quick(game, name) for name in names}
    seats = [luck.choice(names) for _ in range(way.players)]
    while not match.over:
        seat = match.current_player
        name = seats[seat] if luck.random() < 0.8 else luck.choice(names)
        match.advance(players[name].choose(View.of(match, seat), engine))
        match.draw()
    return match


class Judge:
    """Says which decision of a view is the best, by what values them with this many simulations (`valuing`)."""

    def __init__(self, game: Game, engine: Engine, way: Way, simulations: int, *, closely: bool = True) -> None:
        self.game, self.least, players = game, way.least, way.players
        valuer = Valuer(game, engine, players, simulations)
        self.judged = valuer.judged
        self._look = valuer.value if closely else valuer.glance
        self.exact = valuer.exact

    def values(self, view: View) -> list[tuple[int, Value]]:
        """Return the decisions that were compared, the best first: (action, its value). A network's values have no
        error here: they choose what is looked at closely."""
        found = self._look(view)
        state, say = view.state(self.game), self.game.text.format_action
        rows = [
            (one.action, Value(say(state, one.action), round(one.chance, PLACES),
                               round(one.variance**0.5, PLACES) if found.simulations else 0.0))
            for one in found.choices if one.chance is not None and (one.visits >= FEW or not found.simulations)
        ]  # fmt: skip
        return sorted(rows, key=lambda row: -row[1].chance)

    def best(self, values: Sequence[tuple[int, Value]]) -> int | None:
        """Return the action that is best beyond doubt, or None."""
        if len(values) < 2:
            return None
        (action, best), (_, second) = values[:2]
        margin, doubt = best.chance - second.chance, (best.error**2 + second.error**2) ** 0.5
        return action if margin >= self.least and margin > SURE * doubt else None


class _Miner:
    def __init__(self, way: Way, game: Game, engine: Engine, number: int) -> None:
        self.way, self.game, self.engine, self.number = way, game, engine, number
        self.first = Judge(game, engine, way, way.simulations, closely=False)
        self.deep = Judge(game, engine, way, DEEPER * way.simulations)
        short = replace(bots.plan(game, bots.ADVICE), simulations=GLANCE, seconds=None)
        self.short = SearchBot(game, bots.ADVICE, short, afresh=True)

    def puzzles(self) -> list[Puzzle]:
        """Return the puzzles of a game: those that the fewest bots find, some steps apart."""
        match = mixed(self.way, self.game, self.engine, self.number)
        found = [one for decision in decisions(match) if (one := self._puzzle(match, decision)) is not None]
        found.sort(key=lambda one: sum(right / of for right, of in one.found.values()))
        kept: list[Puzzle] = []
        for one in found:
            if all(abs(len(one.steps) - len(other.steps)) >= APART for other in kept):
                kept.append(one)
        return kept[:A_GAME]

    def _puzzle(self, match: Match, decision: Decision) -> Puzzle | None:
        if decision.choices < FEWEST or (self.way.quick and self._obvious(decision.view)):
            return None
        found = self.first.values(decision.view)
        action = self.first.best(found)
        if action is None:
            return None
        answers = dict(self._answers(decision.view, action, slow=False))  # before what takes far longer
        if sum(of - right for right, of in answers.values()) < WRONG:
            return None
        if not self.first.exact:
            found = self.deep.values(again(self.game, decision.view, "check"))
            if self.deep.best(found) != action:
                return None
        answers |= self._answers(decision.view, action, slow=True)
        if not self.first.exact and not self._sure(answers):
            return None
        values = tuple(value for _, value in found)
        obvious = "greedy" not in answers or 2 * answers["greedy"][0] > answers["greedy"][1]
        place = decision.step / max(1, len(match.steps) - 1)
        said = themes.general(values, self.way.players, decision.choices, place, obvious=obvious)
        steps = tuple(
            f"{'*' if actor == CHANCE else actor + 1} {text}" for actor, _, text in match.steps[: decision.step]
        )
        return Puzzle(
            key_of(self.game.name, self.way.options, steps), decision.view.seat, steps, values[:KEPT],
            decision.choices, answers, themes=said, seed=self.way.seed, number=self.number,
        )  # fmt: skip

    def _sure(self, answers: Mapping[str, tuple[int, int]]) -> bool:
        """Return whether the best level always makes this decision."""
        best = next((name for name in bots.declared(self.game) if name != levels.MASTER), "")
        right, of = answers.get(best, (1, 1))
        return right == of

    def _obvious(self, view: View) -> bool:
        """Return whether a glance finds what the bot that looks one step ahead does."""
        glance = bots.find(self.game, levels.LEARNED) if self.first.judged(view) else self.short
        return glance.choose(view, self.engine) == bots.find(self.game, "greedy").choose(view, self.engine)

    def _answers(self, view: View, action: int, *, slow: bool) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield by bot, of the slow ones or the others, how many of how many answers are this decision."""
        for name in asked(self.game):
            level = bots.declared(self.game).get(name)
            if slow != (isinstance(level, int) and level > SLOW):
                continue
            times = 1 if slow else ASKED
            bot = bots.find(self.game, name, repeatable=True)
            views = [again(self.game, view, f"{name}/{one}") for one in range(times)]
            yield name, (sum(bot.choose(one, self.engine) == action for one in views), times)


def _quick(game: Game, name: str) -> bots.Chooser:
    """Return a bot that plays: a level with fewer simulations, if it has many."""
    bot = bots.find(game, name, repeatable=True)
    if isinstance(bot, SearchBot):
        return SearchBot(game, name, replace(bot.plan, simulations=min(bot.plan.simulations, PLAYED)), afresh=True)
    return bot
