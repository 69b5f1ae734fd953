"""The ladder of a game's bots: each against the one below it, in every ruleset, as a section of docs/bots.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

from parlour import bots
from parlour.analysis import charts, figures, report
from parlour.analysis.arena import Block, Contest, Crew, Run, run
from parlour.analysis.results import Results
from parlour.analysis.shapes import Shape
from parlour.analysis.sprt import Running, Sprt
from parlour.analysis.standings import as_dict, elo, percent, score, standings, versus
from parlour.analysis.statistics import Share
from parlour.analysis.tables import NONE
from parlour.bots import levels
from parlour.engine.frames import Columns, Framed

VERDICTS = {"H1": "stronger", "H0": "not stronger", "": "undecided"}
INTRODUCTION = """# Bots

Which bots play which game, and how much better each is than the one below it. The tables are measured; with each
stands the command that made it.
"""


@dataclass(frozen=True)
class Rung(Framed):
    """One bot against the one below it, in one shape of the game."""

    shape: Shape
    upper: str
    lower: str
    run: Run
    test: Running

    @property
    def label(self) -> str:
        """The two bots in words."""
        return f"{self.upper} over {self.lower}"

    @property
    def share(self) -> Share:
        """The upper bot's share of the wins, with its interval by block."""
        return versus(self.upper, self.lower, self.run.blocks)

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return VERDICTS[self.test.verdict]

    @property
    def milliseconds(self) -> tuple[float, float]:
        """Milliseconds per decision of the upper and the lower bot."""
        found = {one.bot: one.milliseconds for one in standings(self.run.contest, self.run.blocks)}
        return found[self.upper], found[self.lower]

    def columns(self) -> Columns:
        """Return one row: the two bots, the share of the wins of `upper` with its interval, and the verdict."""
        share = self.share if self.run.blocks else (None, None, None)
        return {
            "variant": [self.shape.variant], "players": [self.shape.players], "upper": [self.upper],
            "lower": [self.lower], "games": [self.run.games], "share": [share[0]], "low": [share[1]],
            "high": [share[2]], "verdict": [self.verdict],
        }  # fmt: skip

    def as_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {"variant": self.shape.variant, "upper": self.upper, "lower": self.lower} | as_dict(self.run, self.test)


def climb(
    shapes: Sequence[Shape], sprt: Sprt, games: int, crew: Crew, *, seed: int = 1, seconds: float | None = None,
    folder: Path | None = None, progress: Callable[[int, int, str], object] | None = None,
) -> Iterator[Rung]:  # fmt: skip
    """Play each pair of neighbours in each shape until `sprt` decides, or `games` games or `seconds` are over.

    `folder` keeps each pair's games, and a later run continues them. Stops after an interrupted rung. `master` has no
    rung: a game of the level that thinks for seconds takes minutes.
    """
    names = [name for name in bots.choices(shapes[0].game) if name != levels.MASTER]
    for shape in shapes:
        for upper, lower in pairwise(names):
            contest = Contest(shape.game, (upper, lower), shape.players, shape.edition, shape.options, seed)
            test = Running(sprt)
            label = f"{shape.variant} {upper} : {lower}".strip()

            def tell(done: int, total: int, label: str = label) -> None:
                if progress is not None:
                    progress(done, total, label)

            with ExitStack() as stack:
                kept = (
                    stack.enter_context(Results(folder / file_name(shape, upper, lower), contest)) if folder else None
                )
                found = run(
                    contest, games, crew, before=kept.played if kept else (), keep=kept.keep if kept else None,
                    enough=partial(_tried, test, upper),
                    seconds=seconds, progress=tell,
                )  # fmt: skip
            yield Rung(shape, upper, lower, found, test)
            if found.ended == "interrupted":
                return


def _tried(test: Running, upper: str, block: Block) -> bool:
    return test.add([score(block, upper)])


def file_name(shape: Shape, upper: str, lower: str) -> str:
    """Return the name of the file for a pair's games in the folder of a ladder."""
    options = [f"{name}={value}" for name, value in shape.options.items()]
    return "-".join([shape.game.name, shape.box.name, f"{shape.players}p", *options, upper, lower]) + ".jsonl"


# Showing -----------------------------------------------------------------------------------------
HEADS = ("", "share of the wins", "Elo", "verdict", "games", "ms a decision")


def cells(rung: Rung) -> tuple[str, ...]:
    """Return a row under HEADS."""
    if not rung.run.blocks:
        return rung.label, NONE, NONE, rung.verdict, "0", NONE
    mine, other = rung.milliseconds
    return (
        rung.label,
        percent(rung.share),
        elo(rung.share),
        rung.verdict,
        f"{rung.run.games:,}",
        f"{mine:.3g} : {other:.3g}",
    )


def section(rungs: Sequence[Rung], command: str) -> str:
    """Return the text between the marks in docs/bots.md."""
    first = rungs[0]
    sprt = first.test.sprt
    parts = [
        f"Each bot against the one below it, {first.shape.players} players, each seed in every rotation of the seats. "
        f"A pair plays until a sequential test with error rates of {sprt.alpha:.0%} decides between at most "
        f"{sprt.elo0:g} and at least {sprt.elo1:g} Elo, or its time is up (undecided). Intervals are 95 %, by block, "
        f"as for a number of games that was set before; where the test stopped early the share is somewhat too far "
        f"from even. Times are of the machine, with all its cores at work. "
        f"Made by `{command}`.",
        f"![The share of the wins of each bot against the one below it](bots-{first.shape.game.name}.svg)",
    ]
    for variant in dict.fromkeys(rung.shape.variant for rung in rungs):
        parts += [f"### {first.shape.game.text.TITLE}: {variant}"] if variant else []
        rows = [HEADS, ("---", *["--:"] * (len(HEADS) - 1))]
        rows += [cells(rung) for rung in rungs if rung.shape.variant == variant]
        parts.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
    return "\n\n".join(parts)


def picture(rungs: Sequence[Rung]) -> str:
    """Draw each pair's share of the wins, as SVG."""
    kinds = ("shown to be stronger", "not shown")
    rows: list[charts.Row] = []
    variant = ""
    for rung in rungs:
        if rung.shape.variant != variant:
            variant = rung.shape.variant
            rows.append(charts.Row(variant, 0, ()))
        if rung.run.blocks:
            share = Share(*(100 * end for end in rung.share))
            rows.append(charts.Row(rung.label, 0 if rung.test.verdict == "H1" else 1, [share]))
    note = "Per cent of the wins against the bot below; the line is the 95 % interval by block. 50 is even."
    return charts.spans(f"{rungs[0].shape.game.text.TITLE}: the ladder", note, rows, kinds, 50)


def write(rungs: Sequence[Rung], command: str, page: Path) -> None:
    """Write the game's section of the page, which may be new, and its picture next to the page."""
    game = rungs[0].shape.game
    begin, end = (f"<!-- written by `parlour arena {game.name} --ladder`: {word} -->" for word in ("begin", "end"))
    text = page.read_text("utf-8") if page.exists() else INTRODUCTION
    page.with_name(f"bots-{game.name}.svg").write_text(picture(rungs), "utf-8")
    figures.write(page, report.rewrite(text, section(rungs, command), begin, end, f"## {game.text.TITLE}"))
