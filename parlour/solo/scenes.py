"""Every position of a record as each viewer sees it, to be compared with what another Python draws."""

from __future__ import annotations

from parlour.core import html
from parlour.core.contract import CHANCE
from parlour.core.game import Game
from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.core.scene import SPECTATOR


def scenes(game: Game, text: str, rules: str) -> list[str]:
    """Return the markup of scene and log of each position of a record, for every seat and a spectator in turn.

    Raises BrokenRecord, OtherRules.
    """
    record = Record.parse(text)
    match = replay(record.upto(0), lambda _: game)
    viewers = (SPECTATOR, *range(len(match.names)))
    drawn = [html.render(match.scene(viewer), rules) for viewer in viewers]
    for actor, words in record.steps:
        step = match.step(match.parse_outcome(words) if actor == CHANCE else match.parse(words, actor))
        for viewer in viewers:
            told = list(game.scenes.tell(step, viewer, match.names))
            drawn.append(html.render(match.scene(viewer), rules) + html.lines(told, 0, rules))
    return drawn
