"""Goals of a designer, in a small language: "first player 50 %, 25 minutes, at most 8 % shared wins".

A goal is terms with commas between. A term is a number, perhaps with "%", and the measure that it is of, in either
order; "at most", "at least" or "about" (which may be left out) before it; and "±" or "+-" and a tolerance behind the
number. A term's loss is the square of its distance from what it asks for, in tolerances; "at most" and "at least" ask
for a whole side. The loss of a goal is the sum over its terms. Tolerances say what matters how much; where none is
given it is 2 % points for shares and a tenth of the number for the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from parlour.analysis.measures import Measure
from parlour.core.errors import BadSetup

ABOUT, AT_MOST, AT_LEAST = "about", "at most", "at least"
SIDES = {
    "about": ABOUT, "at most": AT_MOST, "at least": AT_LEAST, "<=": AT_MOST, ">=": AT_LEAST, "≤": AT_MOST,
    "≥": AT_LEAST,
}  # fmt: skip
SAID = {"first player": "1st", "second player": "2nd", "third player": "3rd", "fourth player": "4th",
        "draws": "shared-wins"}  # fmt: skip
SHARE, REST = 0.02, 10  # tolerances: of a share, and the part of any other number that is one
NUMBER = re.compile(r"(-?\d+(?:\.\d+)?)\s*(?:(?:±|\+-|\+/-)\s*(\d+(?:\.\d+)?))?\s*(%|min\b)?")
EXAMPLE = '"first player 50 %, 25 minutes, at most 8 % shared wins"'


@dataclass(frozen=True)
class Term:
    """What a goal asks of one measure: a side, a number in the measure's own scale (a share from 0 to 1), and how far
    from it is one step of loss."""

    measure: Measure
    side: str
    target: float
    tolerance: float

    def away(self, value: float) -> float:
        """Return how many tolerances a value is from what is asked; 0 if it is on the right side."""
        distance = (value - self.target) / self.tolerance
        if (self.side == AT_MOST and distance < 0) or (self.side == AT_LEAST and distance > 0):
            return 0.0
        return distance

    @property
    def words(self) -> str:
        """The term as it can be written."""
        factor, unit = (100, " %") if self.measure.share else (1, "")
        side = "" if self.side == ABOUT else f"{self.side} "
        return f"{side}{factor * self.target:g} ± {factor * self.tolerance:g}{unit} {self.measure.name}"


@dataclass(frozen=True)
class Goal:
    """What a designer wants, term by term."""

    terms: tuple[Term, ...]

    @property
    def words(self) -> str:
        """The goal as it can be written, with every tolerance."""
        return ", ".join(term.words for term in self.terms)

    @property
    def names(self) -> list[str]:
        """The measures that it is about."""
        return list(dict.fromkeys(term.measure.name for term in self.terms))

    def loss(self, values: Mapping[str, float]) -> float:
        """Return the loss of these values of the measures; a measure without a value counts as far away."""
        known = [term for term in self.terms if term.measure.name in values]
        missing = len(self.terms) - len(known)
        return sum(term.away(values[term.measure.name]) ** 2 for term in known) + FAR * missing


FAR = 1000.0  # the loss of a term that games say nothing about


def read(text: str, known: Iterable[Measure]) -> Goal:
    """Read a goal. Raises BadSetup with one sentence for the first term that is wrong."""
    by_name = {_plain(one.name): one for one in known}
    titles = {_plain(one.title): one for one in by_name.values()}
    words = titles | by_name | {said: by_name[_plain(name)] for said, name in SAID.items() if _plain(name) in by_name}
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise BadSetup(f"A goal needs at least one term, such as {EXAMPLE}.")
    terms = tuple(_term(part, words, list(by_name.values())) for part in parts)
    if len({(term.measure.name, term.side) for term in terms}) < len(terms):
        raise BadSetup("A goal asks the same of one measure twice.")
    return Goal(terms)


def _term(text: str, words: Mapping[str, Measure], known: list[Measure]) -> Term:
    rest, side = text, ABOUT
    for word, meant in SIDES.items():
        if (found := re.match(rf"{re.escape(word)}(?!\w)\s*|{re.escape(word)}\s+", rest, re.IGNORECASE)) is not None:
            rest, side = rest[found.end() :], meant
            break
    else:
        for word, meant in SIDES.items():  # "shared wins at most 8 %"
            if (inside := re.search(rf"\s{re.escape(word)}\s*(?=[-\d])", rest, re.IGNORECASE)) is not None:
                rest, side = f"{rest[: inside.start()]} {rest[inside.end() :]}", meant
                break
    name, number = _split(rest, words)
    if number is None:
        raise BadSetup(f'"{text}" names no number. A term is a number and a measure, as in {EXAMPLE}.')
    if name not in words:
        names = ", ".join(one.name for one in known)
        raise BadSetup(f'"{text}" names no measure: "{name}" is unknown. Possible are: {names}.')
    measure = words[name]
    unit = number[3] or ""
    if measure.share and unit != "%":
        raise BadSetup(f'"{text}": {measure.name} is a share. Write its number with "%".')
    if not measure.share and unit == "%":
        raise BadSetup(f'"{text}": {measure.name} is not a share. Write its number without "%".')
    factor = 100 if measure.share else 1
    target = float(number[1]) / factor
    if measure.share and not 0 <= target <= 1:
        raise BadSetup(f'"{text}": a share is from 0 to 100 %.')
    tolerance = float(number[2]) / factor if number[2] else SHARE if measure.share else abs(target) / REST or 1.0
    if tolerance <= 0:
        raise BadSetup(f'"{text}": a tolerance must be above 0.')
    return Term(measure, side, target, tolerance)


def _split(text: str, words: Mapping[str, Measure]) -> tuple[str, re.Match[str] | None]:
    """Return the measure's words in a term and its number; the first number with which the rest names a measure."""
    first: tuple[str, re.Match[str] | None] = (_plain(text), None)
    for number in NUMBER.finditer(text):
        name = _plain(f"{text[: number.start()]} {text[number.end() :]}")
        if name in words:
            return name, number
        if first[1] is None:
            first = name, number
    return first


def _plain(text: str) -> str:
    """Return words in lower case, with single blanks, "-" as a blank, and without a measure's filler words."""
    plain = " ".join(text.lower().replace("-", " ").split())
    return re.sub(r" a game$", "", plain)
