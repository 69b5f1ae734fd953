"""What one hears at a table, and which steps have everyone's attention.

Both follow from what a viewer sees of a step, and from nothing else: the lines of the log and the moment. So hidden
things cannot be heard. A game says in `stage.py` which of its lines and moments sound how; the house has the
instruments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from parlour.core.moments import MOMENTS
from parlour.core.scene import Line

INSTRUMENTS = (  # as `band.js` plays them
    "dice", "card", "chip", "gem", "crash", "till", "brass", "wood", "bell", "win", "loss", "draw",
)  # fmt: skip
SOUND = re.compile(rf"({'|'.join(INSTRUMENTS)})([+-]\d{{1,2}})?")  # the second part is how many semitones higher
EVENT = re.compile(rf"({'|'.join(MOMENTS)})|\S+( (chance|move|event|end))?")
DEFAULT: Mapping[str, str] = {"roll": "dice", "turn": "card", "move": "wood"}
MOST = 2  # sounds of one step


class Stage(NamedTuple):
    """What a game's `stage.py` declares. An event is a moment ("roll", "turn", "move", "end"), a clause that a line
    of the log cites ("PI-3"), or such a clause with the kind of the line ("PI-3 event")."""

    sounds: Mapping[str, str] = DEFAULT  # event -> instrument, with semitones if it is tuned: "brass-5"; "" for silence
    great: frozenset[str] = frozenset()  # events that have everyone's attention for about a second

    def heard(self, moment: str, lines: Sequence[Line]) -> str:
        """Return the sounds of a step for a viewer who gets this moment and these lines, in order. A line about a
        decision sounds instead of the decision, one about dice or cards after these."""
        told = [sound for line in lines if (sound := self._of(line))]
        own = self.sounds.get(moment, "")
        found = told if told and moment == "move" else [own, *told]
        return " ".join([*dict.fromkeys(filter(None, found))][:MOST])

    def is_great(self, moment: str, lines: Sequence[Line]) -> bool:
        """Return whether a step has everyone's attention."""
        return moment in self.great or any(event in self.great for line in lines for event in _events(line))

    def _of(self, line: Line) -> str:
        return next((self.sounds[event] for event in _events(line) if event in self.sounds), "")


def _events(line: Line) -> Iterator[str]:
    """Yield the names of a line as an event, the most particular first."""
    if line.clause:
        yield f"{line.clause} {line.kind}"
        yield line.clause


def stage_of(module: object | None) -> Stage:
    """Return what a module `stage.py` declares, with the default for what it leaves out. Without a module all is the
    default."""
    sounds = {**DEFAULT, **getattr(module, "SOUNDS", {})}
    return Stage(sounds, frozenset(getattr(module, "GREAT", ())))


def fault(module: object) -> str:
    """Return one sentence that says what is wrong with a module `stage.py`, "" if nothing is."""
    sounds, great = getattr(module, "SOUNDS", {}), getattr(module, "GREAT", ())
    if not isinstance(sounds, dict) or not all(isinstance(one, str) for pair in sounds.items() for one in pair):
        return 'SOUNDS must be a dict of events and sounds, each a text: {"roll": "dice"}.'
    if not isinstance(great, tuple) or not all(isinstance(one, str) for one in great):
        return 'GREAT must be a tuple of events, each a text: ("roll",).'
    for event in (*sounds, *great):
        if not EVENT.fullmatch(event):
            kinds = "chance, move, event or end"
            return (
                f"{event!r} is not an event: name a moment ({', '.join(MOMENTS)}) or a clause, with or without {kinds}."
            )
    for event, sound in sounds.items():
        if sound and not SOUND.fullmatch(sound):
            return f"{event!r} sounds like {sound!r}; there are {', '.join(INSTRUMENTS)}, tuned as in brass-5."
    return ""
