"""docs/rulesets: a page for each ruleset, on the pattern of Gymnasium's pages, written from the games.

`python -m tests.docs.rulesets --write` writes them all. What facts, rules and editions say is copied from there. How
decisions and outcomes are written is read off random games, the same in every run. How strong the bots are, and how
long games last, is quoted from docs/bots.md and docs/games, where it was measured.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import parlour
from parlour import bots
from parlour.analysis import figures
from parlour.analysis.shapes import shapes
from parlour.bots.listing import listing
from parlour.core import book
from parlour.core.clauses import clauses
from parlour.core.edition import STATED
from parlour.core.facts import Option
from parlour.core.game import Game
from parlour.core.observing import Field
from parlour.core.scene import number
from parlour.engine.packing import dtype

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "rulesets"
COMMAND = "python -m tests.docs.rulesets --write"
NOTE = f"<!-- written by `{COMMAND}` -->\n"
GAMES = 3  # random games in each number of players, from which the words of decisions and outcomes are read
EXAMPLES = 3
CLAUSE = re.compile(r"\b[A-Z]{2}-\d+\b")
WIDTH = 100


class Ruleset(NamedTuple):
    """A game, and one of its rulesets ("" if it has only one)."""

    game: Game
    name: str

    @property
    def page(self) -> str:
        """The name of its page, without the ending."""
        return self.name or self.game.name

    @property
    def title(self) -> str:
        return self.game.ruleset_line(self.name).partition(":")[0] if self.name else self.game.text.TITLE

    @property
    def chosen(self) -> dict[str, str]:
        return {"ruleset": self.name} if self.name else {}

    @property
    def options(self) -> list[Option]:
        """The options that matter here, without the one that chooses the ruleset."""
        return [one for one in self.game.facts.options if one.name != "ruleset" and one.matters(self.name)]

    def start(self, players: int) -> parlour.State:
        """Return the first position in the first edition."""
        return parlour.new_initial_state(self.game, players, options=self.chosen)


class Seen(NamedTuple):
    """What was written for decisions, or for outcomes, that begin alike."""

    numbers: set[int]  # of the decisions; how many outcomes there were to choose from
    examples: dict[str, None]


def rulesets() -> list[Ruleset]:
    """Return every ruleset of the games that come with Parlour."""
    return [Ruleset(game, name) for game in parlour.all_games().values() for name in game.rulesets]


def pages() -> dict[str, str]:
    """Return every page by the name of its file."""
    return {f"{one.page}.md": page(one) for one in rulesets()} | {"index.md": index()}


def page(one: Ruleset) -> str:
    """Return the page of a ruleset."""
    sections = {
        "In short": short(one),
        "Play a game": program(one),
        "Actions": actions(one),
        "Chance": chance(one),
        "Observation": observation(one),
        "Rewards and scores": rewards(one),
        "The end": end(one),
        "Editions": editions(one),
        "Options": options(one),
        "Bots": strengths(one),
    }
    heads = "\n".join(f"- [{head}](#{figures.anchor(head)})" for head in sections)
    parts = "\n\n".join(f"## {head}\n\n{text}" for head, text in sections.items())
    return f"{NOTE}\n# {one.title}\n\n{filled(about(one))}\n\n{heads}\n\n{parts}\n"


def about(one: Ruleset) -> str:
    game = one.game
    line = one.game.ruleset_line(one.name).partition(": ")[2] if one.name else game.text.TAGLINE
    line = line[:1].upper() + line[1:]
    of = f" A ruleset of {game.text.TITLE}." if one.name else ""
    links = (
        f"[the rulebook]({rulebook(game)})",
        f"[statistics, and how the game is built](../games/{game.name}.md)",
        "[all rulesets](index.md)",
    )
    return f"{line}{of} More: {', '.join(links)}."


def rulebook(game: Game) -> str:
    """Return the address of a game's rulebook from a page of a ruleset; the site adds a clause's anchor."""
    return f"../../{game.package.replace('.', '/')}/rulebook.md"


def filled(text: str) -> str:
    """Return a paragraph in lines of WIDTH characters; links and code stay whole."""
    pieces = re.findall(r"(?:\[[^\]]*\]\([^)]*\)|`[^`]*`|\S)+", text)
    lines, line = [], ""
    for piece in pieces:
        if line and len(line) + 1 + len(piece) > WIDTH:
            lines.append(line)
            line = piece
        else:
            line = f"{line} {piece}".strip()
    return "\n".join([*lines, line])


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table; heads that end in ":" are columns of numbers."""
    heads = list(heads)
    lines = [
        "| " + " | ".join(head.rstrip(":") for head in heads) + " |",
        "|" + "|".join("--:" if head.endswith(":") else "---" for head in heads) + "|",
    ]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def short(one: Ruleset) -> str:
    game, state = one.game, one.start(one.game.facts.players[0])
    chosen = f", options={one.chosen!r}".replace("'", '"') if one.chosen else ""
    bounds = sorted({one.start(seats).max_game_length for seats in seats_of(game)})
    rows = (
        ("load it", f'`parlour.new_initial_state("{game.name}", players{chosen})`'),
        ("players", game.seats),
        ("information", state.information + (": seats know different things" if hidden(state) else "")),
        ("chance", game.chance_mode),
        ("decisions", f"{game.num_distinct_actions:,} numbers; at most {game.rules.MAX_LEGAL:,} legal at once"),
        ("outcomes of chance", f"at most {game.max_chance_outcomes:,} at once"),
        ("observation", f"{game.facts.observation_size:,} numbers; {width(game):,} floats as a tensor"),
        ("utilities", f"{game.min_utility:g} to {game.max_utility:g}, sum {game.utility_sum:g}"),
        ("longest", " or ".join(f"{bound:,}" for bound in bounds) + " actions, chance included; no game reaches it"),
        ("a state", f"{dtype(game.rules.State).itemsize:,} bytes when compiled"),
        ("for people", f"about {game.how_long(one.name)} minutes"),
    )
    return table(("", ""), rows) + "\n\n" + lengths(one)


def seats_of(game: Game) -> range:
    return range(game.facts.players[0], game.facts.players[1] + 1)


def hidden(state: parlour.State) -> bool:
    return state.information == "imperfect"


def width(game: Game) -> int:
    """Return how many floats a tensor has."""
    last = game.observation_spec()[-1]
    floats = 1
    for size in last.shape:
        floats *= size
    return last.start + floats


def lengths(one: Ruleset) -> str:
    """Return how many decisions a game has, as it was measured for docs/games."""
    game, best = one.game, bots.simulated(one.game)[0]
    found = figures.cells((DOCS / "games" / f"{game.name}.md").read_text("utf-8"))
    texts = []
    for shape in shapes(game, edition=game.edition().name, options=one.chosen):
        under = figures.anchor(f"### {shape.variant}") if shape.variant else "statistics"
        label = "decisions, median; 95 %, decisions, median"
        (text,) = found[under, f"{shape.players} players, {best}: {label}"]
        texts.append(f"{text} for {shape.players}")
    return filled(
        f"Decisions in a game, at the median, when every seat is the bot `{best}`: {', '.join(texts)} "
        f"([the tables](../games/{game.name}.md#statistics))."
    )


def program(one: Ruleset) -> str:
    chosen = f", options={one.chosen!r}".replace("'", '"') if one.chosen else ""
    return (
        "```python\n"
        "import random\n\n"
        "import parlour\n\n"
        f'state = parlour.new_initial_state("{one.game.name}"{chosen})\n'
        "while not state.is_terminal():\n"
        "    if state.is_chance_node():\n"
        "        outcomes, chances = zip(*state.chance_outcomes())\n"
        "        state.apply_action(random.choices(outcomes, chances)[0])\n"
        "    else:\n"
        "        state.apply_action(random.choice(state.legal_actions()))\n"
        "print(len(state.history()), state.returns(), state.scores())\n"
        "```"
    )


@cache
def played(one: Ruleset) -> tuple[Mapping[str, Seen], Mapping[str, Seen]]:
    """Return what was written for decisions, and for outcomes, in random games: by how it begins, the most first."""
    decisions: dict[str, Seen] = {}
    outcomes: dict[str, Seen] = {}
    for players in sorted(set(one.game.facts.players)):
        for seed in range(GAMES):
            _play(one.start(players), random.Random(seed), decisions, outcomes)
    return decisions, outcomes


def _play(state: parlour.State, rng: random.Random, decisions: dict[str, Seen], outcomes: dict[str, Seen]) -> None:
    while not state.is_terminal():
        if state.is_chance_node():
            weights = state.chance_weights()
            action = rng.choices(range(len(weights)), weights)[0]
            _note(outcomes, state.action_to_string(action), len(weights))
        else:
            action = rng.choice(state.legal_actions())
            _note(decisions, state.action_to_string(action), action)
        state.apply_action(action)


def _note(found: dict[str, Seen], text: str, number: int) -> None:
    """Note a text under its first word, in which digits, and the letters of squares, count as alike."""
    first = re.sub(r"\d+", "#", re.sub(r"^[a-z](?=\d+$)", "·", text.split()[0]))
    seen = found.setdefault("square" if first == "·#" else first, Seen(set(), {}))
    seen.numbers.add(number)
    if len(seen.examples) < EXAMPLES:
        seen.examples[f"`{text}`"] = None


def actions(one: Ruleset) -> str:
    game = one.game
    rows = [
        (", ".join(seen.examples), span(seen.numbers), f"{len(seen.numbers):,}")
        for _, seen in sorted(played(one)[0].items(), key=lambda item: min(item[1].numbers))
    ]
    seats = " and ".join(map(str, sorted(set(game.facts.players))))
    text = (
        f"A decision is a number below {game.num_distinct_actions:,}, the same in all positions. At most "
        f"{game.rules.MAX_LEGAL:,} are legal at once. `action_to_string` writes a decision and `string_to_action` "
        f"reads it. These were met in {GAMES} random games with {seats} players:"
    )
    return f"{filled(text)}\n\n{table(('as written', 'numbers:', 'of them met:'), rows)}"


def span(numbers: Iterable[int]) -> str:
    least, most = min(numbers), max(numbers)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def chance(one: Ruleset) -> str:
    rows = [(", ".join(seen.examples), span(seen.numbers)) for seen in played(one)[1].values()]
    text = (
        f"Where `is_chance_node()` is true, the outcomes are numbered from 0, at most {one.game.max_chance_outcomes:,} "
        "of them. `chance_outcomes()` has their probabilities, `chance_weights()` exact integers. Met in the same "
        "games:"
    )
    return f"{filled(text)}\n\n{table(('as written', 'outcomes at once:'), rows)}"


def observation(one: Ruleset) -> str:
    game = one.game
    text = (
        f"`observation(seat)` has {game.facts.observation_size:,} numbers, and `observation_tensor(seat)` "
        f"{width(game):,} floats: a name is one-hot, a mask is a float for each bit. Seats are counted from the "
        "observing one. `game.observation_spec()` returns this table:"
    )
    rows = (
        (str(row.at), row.name.replace("|", "\\|"), limits(row), row.kind, shape(row), cited(game, row.clause))
        for row in game.observation_spec()
    )
    heads = ("from:", "field", "values", "kind", "floats", "clause")
    return f"{filled(text)}\n\n{table(heads, rows)}"


def limits(row: Field) -> str:
    if row.least is None and row.most is None:
        return "any"
    if row.most is None:
        return f"from {number(row.least or 0)}"
    return f"{number(row.least or 0)} to {number(row.most)}"


def shape(row: Field) -> str:
    return " × ".join(f"{size:,}" for size in row.shape)


def cited(game: Game, text: str) -> str:
    """Return the numbers of clauses as links to the rulebook."""
    return CLAUSE.sub(lambda found: f"[{found[0]}]({rulebook(game)})", text)


def rewards(one: Ruleset) -> str:
    rules = one.game.rules
    text = (
        "`returns()` are 0 before the end. Then the winners share 1, and all other seats get 0. `rewards()` are the "
        "same. `scores()` are the game's own points, even before the end. The rules say of them:"
    )
    said = [
        f"- `{name}`: {cited(one.game, paragraph(found))}"
        for name, found in (("returns", rules.returns.__doc__), ("scores", rules.scores.__doc__))
        if found
    ]
    return filled(text) + "\n\n" + "\n".join(filled(line).replace("\n", "\n  ") for line in said)


def paragraph(docstring: str) -> str:
    """Return the first paragraph of a docstring in one line."""
    return " ".join(docstring.strip().split("\n\n")[0].split())


def end(one: Ruleset) -> str:
    """Return how games end: as statistics name it, and the clauses that the code of returns and endings cites."""
    game, events = one.game, one.game.events
    assert events is not None
    numbers = {
        found for text in (game.rules.returns.__doc__, events.ending.__doc__) for found in CLAUSE.findall(text or "")
    }
    known = clauses(game)
    said = [plain(game, known[name]) for name in known if name in numbers]
    ways = "; ".join(events.ENDINGS)
    return filled(f"The statistics distinguish these ways to end: {ways}. The clauses:") + "\n\n" + "\n\n".join(said)


def plain(game: Game, clause: str) -> str:
    """Return a clause as ordinary Markdown, its number as a link."""
    text = book.plain(clause).replace("*Printed example.* ", "")
    name = CLAUSE.search(text)
    assert name is not None
    return text.replace(f"**{name[0]}**", f"**[{name[0]}]({rulebook(game)})**", 1)


def editions(one: Ruleset) -> str:
    rows = []
    for edition in one.game.editions.values():
        ours = [part.title or key.replace("_", " ") for key, part in edition.components.items() if part.mark != STATED]
        rows.append((f"`{edition.name}`", f"{edition.title}. {edition.note}", ", ".join(ours).lower()))
    return filled("The first is the default.") + "\n\n" + table(("edition", "what it is", "not printed so"), rows)


def options(one: Ruleset) -> str:
    if not one.options:
        return "This ruleset has no options."
    rows = (
        (
            f"`{option.name}`",
            ", ".join(f"`{value}`" for value in option.values),
            option.help.replace("|", "\\|"),
            cited(one.game, option.clause),
        )
        for option in one.options
    )
    return (
        filled("The first value is the default.") + "\n\n" + table(("option", "values", "what it is", "clause"), rows)
    )


def strengths(one: Ruleset) -> str:
    shares = measured(one)
    rows = []
    for entry in listing(one.game, one.name):
        over = [
            f"[{text}](../bots.md#{under})" + (f" ({variant})" if variant else "") + f" against `{other}`"
            for (bot, other), found in shares.items()
            if bot == entry.bot
            for under, variant, text in found
        ]
        rows.append((f"`{entry.bot}`", entry.about, "; ".join(over) or "not measured there"))
    text = (
        "The best first. The share of the wins is of games for two, with its 95 % interval; the page "
        f"[Bots](../bots.md) has the commands that measured it. `parlour bots {one.game.name}` lists them."
    )
    return f"{filled(text)}\n\n{table(('bot', 'what it is', 'share of the wins'), rows)}"


def measured(one: Ruleset) -> dict[tuple[str, str], list[tuple[str, str, str]]]:
    """Return the shares in docs/bots.md: (bot, the one below it) -> anchor, edition if it is named, and share."""
    found: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for under, edition in sections(one):
        for (anchor, address), texts in figures.cells((DOCS / "bots.md").read_text("utf-8")).items():
            label, _, pair = address.partition(": ")
            if anchor == under and label == "share of the wins" and " over " in pair:
                bot, _, other = pair.partition(" over ")
                found.setdefault((bot, other), []).append((under, edition, next(iter(texts))))
    return found


def sections(one: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the anchor of each section of docs/bots.md that may be about this ruleset, and the edition it names."""
    game = one.game
    yield figures.anchor(f"## {game.text.TITLE}"), ""
    for edition in game.editions:
        variant = ", ".join(filter(None, (one.name, edition if len(game.editions) > 1 else "")))
        yield figures.anchor(f"### {game.text.TITLE}: {variant}"), edition


def index() -> str:
    rows = []
    for one in rulesets():
        state = one.start(one.game.facts.players[0])
        rows.append(
            (
                f"[{one.title}]({one.page}.md)",
                one.game.seats,
                state.information,
                f"{one.game.num_distinct_actions:,}",
                f"{one.game.rules.MAX_LEGAL:,}",
                f"{one.game.max_chance_outcomes:,}",
                f"{one.game.facts.observation_size:,}",
                f"{width(one.game):,}",
            )
        )
    heads = ("ruleset", "players", "information", "decisions:", "legal at once:", "outcomes at once:", "observation:",
             "floats:")  # fmt: skip
    text = (
        "Each ruleset has a page for programs: its decisions, chance, observation, rewards, end, editions, options and "
        "bots. All are written from the games, and a test compares them."
    )
    return f"{NOTE}\n# The rulesets\n\n{filled(text)}\n\n{table(heads, rows)}\n"


def stale() -> list[str]:
    """Return the names of the pages that are missing, left over, or not what the games say now."""
    now = pages()
    there = {file.name: file.read_text("utf-8") for file in FOLDER.glob("*.md")}
    return sorted(name for name in now.keys() | there.keys() if now.get(name) != there.get(name))


def main() -> None:
    """Write all pages, or say which are not current."""
    if "--write" in sys.argv[1:]:
        FOLDER.mkdir(exist_ok=True)
        for name in stale():
            (FOLDER / name).unlink(missing_ok=True)
        for name, text in pages().items():
            (FOLDER / name).write_text(text, "utf-8")
    elif names := stale():
        raise SystemExit(f"{', '.join(names)} in docs/rulesets: run `{COMMAND}`.")


if __name__ == "__main__":
    main()
