"""The product and a model side by side, in random and in corner-seeking games.

At every position both must agree: on the seat that decides, its decisions, the outcomes of chance
and how likely they are, and all facts (`facts`); at the end, on scores and returns.
Options are tried one by one, all changed, and mixed at random, with every edition and number of
players.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from parlour.conformance.cases import Case, fitting, shapes
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.games import all_games
from tests.models.contract import CHANCE, OVER, Model

HERE = Path(__file__).parent
OURS = {"contract", "lockstep", "nightly", "readings", "test_lockstep"}

# How the games of a walk are played, in turn: moves, chance.
PLAIN, RARE, EVEN, RAREST = range(4)
WAYS = ("at random", "rare moves", "rare moves and any chance", "rare moves and rare chance")

LONG = 1_000  # positions after which a game of a walk is left, unless its model says otherwise


class Disagreement(AssertionError):
    """Product and model differ; the message says where, in what, and has the record up to there."""


@dataclass(frozen=True)
class Strand:
    """A game, or one ruleset of it, which has a walk of its own."""

    game: Game
    ruleset: str

    def __str__(self) -> str:
        return "-".join(filter(None, (self.game.name, self.ruleset)))

    @property
    def model(self) -> type[Model]:
        return importlib.import_module(f"tests.models.{self.game.name.replace('-', '_')}").Model  # type: ignore[no-any-return]

    @property
    def reading(self) -> ModuleType:
        """`facts(state)`: the model's facts read out of the product's state; `BROKEN`: for each rule that can be
        made wrong, a description and a function that does it with pytest's monkeypatch."""
        return importlib.import_module(f"tests.models.readings.{self.game.name.replace('-', '_')}")

    @property
    def rare(self) -> tuple[str, ...]:
        """What a walk must have reached: the model's RARE, or what it has there for this ruleset."""
        rare = self.model.RARE
        return rare if isinstance(rare, tuple) else rare[self.ruleset]

    @property
    def broken(self) -> list[str]:
        """The names in `BROKEN`, without those that `ONLY` keeps to other rulesets."""
        only = getattr(self.reading, "ONLY", {})
        return [name for name in self.reading.BROKEN if self.ruleset in only.get(name, (self.ruleset,))]

    def shapes(self) -> list[Case]:
        """Return every edition and number of players, with default options, with all changed, and each value alone."""
        own = ((RULESET, self.ruleset),) if self.ruleset else ()
        found = {}
        for case in shapes(self.game):
            options = tuple(sorted(fitting(self.game, {**dict(case.options), **dict(own)}).items()))
            found[case.edition, case.players, options] = Case(self.game, case.edition, case.players, options)
        return list(found.values())

    def mixed(self, rng: Random) -> Case:
        """Any edition, any number of players, any value of each option."""
        fewest, most = self.game.facts.players
        options = {option.name: rng.choice(option.values) for option in self.game.facts.options}
        if self.ruleset:
            options[RULESET] = self.ruleset
        edition = rng.choice(list(self.game.editions))
        fitted = fitting(self.game, options)
        return Case(self.game, edition, rng.randint(fewest, most), tuple(sorted(fitted.items())))


def strands() -> list[Strand]:
    """Every ruleset of every game that has a model."""
    there = {name for name in all_games() if (HERE / f"{name.replace('-', '_')}.py").is_file()}
    return [Strand(all_games()[name], ruleset) for name in sorted(there) for ruleset in all_games()[name].rulesets]


# The walk ----------------------------------------------------------------------------------------
@dataclass
class Walk:
    """Many games of a strand, and what was met in them."""

    strand: Strand
    seed: int = 1
    positions: int = 0
    played: int = 0
    ended: int = 0
    met: Counter[tuple[object, str]] = field(default_factory=Counter)
    """How often each kind of move (numbers left out) and each outcome was taken, by phase."""
    seen: Counter[str] = field(default_factory=Counter)
    """The sum of the models' own counts."""

    def go(self, positions: int) -> Walk:
        """Look at this many positions; Disagreement at the first that differs.

        The first third goes to every shape alike; the rest to mixed options. No game gets more than
        its model's LONG positions, and those played at random, with nothing to look for, less.
        Besides, the games that the model has in WAYS are played to their end.
        """
        every = self.strand.shapes()
        for case in every:
            self.play(case, most=min(max(positions // (3 * len(every)), 1), self.long))
        return self.mixed(positions - self.positions).ways()

    @property
    def long(self) -> int:
        """Positions after which a game is left."""
        return getattr(self.strand.model, "LONG", LONG)

    def mixed(self, positions: int) -> Walk:
        """So many positions more, with mixed options."""
        last = self.positions + positions
        while self.positions < last:
            rng = Random(f"{self.strand} {self.seed} {self.played} mixed")
            most = self.long // 4 if self.played % len(WAYS) == PLAIN else self.long
            self.play(self.strand.mixed(rng), most=min(last - self.positions, most))
        return self

    def ways(self) -> Walk:
        """Return the long games that the model asks for (`contract.Luring`); they do not count as positions."""
        before = self.positions
        own = {RULESET: self.strand.ruleset} if self.strand.ruleset else {}
        for plan, players, options in getattr(self.strand.model, "WAYS", ()):
            chosen = tuple(sorted(fitting(self.strand.game, {**options, **own}).items()))
            case = Case(self.strand.game, self.strand.game.edition().name, players, chosen)
            self.play(case, sys.maxsize, RARE, plan)
        self.positions = before
        return self

    def play(self, case: Case, most: int, way: int | None = None, plan: str = "") -> None:
        """One game, or its first `most` positions."""
        way = self.played % len(WAYS) if way is None else way
        rng = Random(f"{self.strand} {self.seed} {self.played}")
        pair = Pair(case, self.strand, f"seed {self.seed}, game {self.played}, {WAYS[way]}")
        self.played += 1
        if plan:
            pair.model.plan = plan  # type: ignore[attr-defined]
        for _ in range(most):
            self.positions += 1
            if not (choices := pair.look()):
                self.ended += 1
                break
            pair.step(self._choose(pair, choices, way, rng))
        self.seen += pair.model.seen

    def missing(self) -> list[str]:
        """Return what a walk must reach according to the model, and this one has not."""
        return [rare for rare in self.strand.rare if not self.seen[rare]]

    def _choose(self, pair: Pair, choices: dict[str, int], way: int, rng: Random) -> str:
        """Return the text of one of the choices, by the way the game is played."""
        texts = list(choices)
        if way != PLAIN and hasattr(pair.model, "lure") and (lured := pair.model.lure(texts, rng)) is not None:
            return self._meet(pair, lured)
        if pair.turn == CHANCE:
            if way in (PLAIN, RARE):
                return self._meet(pair, rng.choices(texts, [choices[text] for text in texts])[0])
            if way == EVEN:
                return self._meet(pair, rng.choice(texts))
        elif way == PLAIN or rng.random() < 0.25:
            return self._meet(pair, rng.choice(texts))
        fewest = min(self.met[self._kind(pair, text)] for text in texts)
        return self._meet(pair, rng.choice([text for text in texts if self.met[self._kind(pair, text)] == fewest]))

    def _kind(self, pair: Pair, text: str) -> tuple[object, str]:
        return pair.phase, text if pair.turn == CHANCE else _masked(text)

    def _meet(self, pair: Pair, text: str) -> str:
        self.met[self._kind(pair, text)] += 1
        return text


@cache
def _masked(text: str) -> str:
    return re.sub(r"\d+", "#", text)


class Pair:
    """A match of the product, and the model of it."""

    def __init__(self, case: Case, strand: Strand, where: str = "") -> None:
        self.match = case.match()
        self.model = strand.model(case.players, self.match.edition.parts, self.match.options)
        self.facts: Callable[[Any], dict[str, object]] = strand.reading.facts
        self.where = f"{case}, {where}"
        rules = self.match.game.rules
        self.out, self.weights = [0] * max(rules.MAX_LEGAL, rules.MAX_OUTCOMES), [0] * rules.MAX_OUTCOMES
        self.ids: dict[str, int] = {}
        self.turn = OVER
        self.phase: object = ""

    def look(self) -> dict[str, int]:
        """Compare everything; the texts that can come next with their weights (1 for moves), none at the end."""
        match, model = self.match, self.model
        self.turn = match.current_player
        self.hold("turn", self.turn, model.turn())
        facts = model.facts()
        self.phase = facts.get("phase", "")
        self.hold("facts", self.facts(match.state), facts)
        if self.turn == OVER:
            self._look_at_the_end()
            return {}
        found = self._look_at_chance() if self.turn == CHANCE else self._look_at_moves()
        self.hold("whether anything can come next", bool(found), True)
        return found

    def step(self, text: str) -> None:
        """Let this text, one of those that `look` gave, happen on both sides."""
        self.match.advance(self.ids[text])
        if (said := self.match.steps[-1][2]) != text:
            self.hold("the text of what happens", said, text)
        self.model.apply(text)

    def _look_at_moves(self) -> dict[str, int]:
        match, text = self.match, self.match.game.text
        n = match.game.rules.legal_actions(match.state, self.out)
        self.ids = {text.format_action(match.state, action): action for action in self.out[:n]}
        self.hold("how many texts there are for the legal decisions", len(self.ids), n)
        self.hold("legal decisions", set(self.ids), self.model.moves())
        for said, action in self.ids.items():
            if (read := text.parse_action(match.state, said)) != action:
                self.hold(f"{said!r} read again", read, action)
        return dict.fromkeys(self.ids, 1)

    def _look_at_chance(self) -> dict[str, int]:
        match = self.match
        n = match.game.rules.chance_outcomes(match.state, self.out, self.weights)
        chances = self.model.chances()
        key = id(chances), tuple(self.out[:n]), tuple(self.weights[:n])
        if (known := _LOOKED_AT.get(key)) is None:
            form = match.game.text.format_outcome
            ids = {form(match.state, outcome): outcome for outcome in self.out[:n]}
            self.hold("how many texts there are for the outcomes", len(ids), n)
            total = sum(self.weights[:n])
            fractions = {said: Fraction(self.weights[i], total) for i, said in enumerate(ids)}
            self.hold("chances", fractions, chances)
            self.hold("the sum of the chances", sum(fractions.values()), Fraction(1))
            known = ids, dict(zip(ids, self.weights, strict=False)), chances
            if n >= MANY:
                if len(_LOOKED_AT) >= KEPT:
                    _LOOKED_AT.clear()
                _LOOKED_AT[key] = known
        self.ids = known[0]
        return known[1]

    def _look_at_the_end(self) -> None:
        match = self.match
        scores = [0] * len(match.names)
        match.game.rules.scores(match.state, scores)
        self.hold("scores", scores, self.model.scores())
        returns = self.model.returns()
        self.hold("the sum of the returns", sum(returns), Fraction(1))
        self.hold("returns", match.returns, [float(share) for share in returns])

    def hold(self, what: str, product: object, model: object) -> None:
        """Disagreement unless both are the same."""
        if product == model:
            return
        raise Disagreement(
            f"{self.where}, step {len(self.match.steps)}: {what}\n{_difference(product, model)}\n"
            f"{self.match.record().to_text()}"
        )


# Long lists of chances are compared once for each mapping that a model hands out again. The mapping is
# kept with what was found, so that no other can have its id.
MANY, KEPT = 100, 200
_LOOKED_AT: dict[tuple[int, tuple[int, ...], tuple[int, ...]], tuple[dict[str, int], dict[str, int], object]] = {}


def _difference(product: object, model: object) -> str:
    """Both sides, without what is the same in them."""
    if isinstance(product, set) and isinstance(model, set):
        return f"  product only: {sorted(product - model)}\n  model only:   {sorted(model - product)}"
    if isinstance(product, Mapping) and isinstance(model, Mapping):
        lines = []
        for key in [*product, *(key for key in model if key not in product)]:
            mine, other = product.get(key, "(nothing)"), model.get(key, "(nothing)")
            if isinstance(mine, Mapping) and isinstance(other, Mapping) and mine != other:
                lines += [f"  {key}:", _difference(mine, other)]
            elif mine != other:
                lines.append(f"  {key}: product {_plain(mine)}, model {_plain(other)}")
        return "\n".join(lines)
    return f"  product: {_plain(product)}\n  model:   {_plain(model)}"


def _plain(value: object) -> str:
    return str(value) if isinstance(value, Fraction) else repr(value)


# What a model may import ---------------------------------------------------------------------------
def model_files() -> list[Path]:
    """Return the files that are models or parts of them."""
    return [file for file in sorted(HERE.glob("*.py")) if file.stem not in OURS and not file.stem.startswith("test_")]


def foreign_imports(source: str) -> Iterator[str]:
    """Yield the forbidden imports of a model's source: all but the standard library, the contract and models."""
    allowed = {"tests.models.contract", *(f"tests.models.{file.stem}" for file in model_files())}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = ["." * node.level + (node.module or "")]
        elif isinstance(node, ast.Name) and node.id in {"__import__", "eval", "exec"}:
            names = [node.id]
        else:
            continue
        for name in names:
            top = name.partition(".")[0]
            if name not in allowed and (top not in sys.stdlib_module_names or top in {"importlib", "runpy", "pkgutil"}):
                yield name
