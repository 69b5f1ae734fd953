"""Which numbers of a page are measurements, and which of these nothing in their section accounts for.

A measurement is a number with a unit (seconds, bytes, percent, games, moves a second) or with a decimal point, in
digits or words. It is traced if a table or a block of code in the same section holds it, up to the rounding of the
prose; or if its paragraph says the day and its section names the command. What the code sets is not a measurement: the
page must then say what `tests/docs/constants.py` reads off the code.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)
VALUES = {word: float(value) for value, word in enumerate(WORDS)} | {
    **{"twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "hundred": 100.0},
    **{"thousand": 1e3, "million": 1e6, "half": 0.5, "a": 1.0, "an": 1.0},
}
DIGITS = r"\d[\d,]*(?:\.\d+)?"
TIME = r"(?:(?:micro|milli|nano)?second|minute|hour)s?\b"
UNIT = (
    rf"(?:%|±|(?:ms|µs|s|[kKM]?B|GB|[KM]iB|[kM]|px)\b|{TIME}|bytes\b|percent\b|times\b|(?:\w+ )?(?:moves|games|steps|"
    r"decisions|positions|deals|turns|points|requests|restarts|simulations|pages|tables|rounds|kills|answers)\b|"
    r"(?:moves?|games?|pages|tables|requests)? ?(?:a|per|each) (?:second|minute|hour|move|game|table|day)\b|"
    r"of (?:a|the|all)\b|(?:of|in) \d)"
)
NAMED = "|".join(word for word in VALUES if word not in ("a", "an", "half"))
MEASURED = re.compile(
    rf"(?<![\w.:-])(?:(?P<sharp>\d[\d,]*\.\d+)(?!\w|\.\d|-\w)|(?P<digits>{DIGITS})(?= ?(?:to {DIGITS} ?)?{UNIT}))"
    rf"|\b(?P<word>{NAMED})\b(?= (?:to \w+ )?(?:%|percent\b|{TIME}|(?:kilo|mega)?bytes\b|times as\b))"
    rf"|\b(?P<half>half) (?:a|an) (?={TIME})|\b(?:about|some|under|over|nearly|almost) (?P<about>an?) (?={TIME})"
    rf"|\b(?P<among>{NAMED}) (?:in|out of) (?:a |every )?(?:{NAMED})\b",
    re.IGNORECASE,
)
DAY = re.compile(r"\b20\d\d-\d\d-\d\d(?: \d\d:\d\d)?\b")
COMMAND = re.compile(
    r"`(?:parlour |scripts/|python -m |benchmarks/|valgrind |pytest )[^`]*`|^ {4,}.*\bbenchmarks\b", re.M
)
VERSION = re.compile(
    r"\b(?:Python|Debian|Ubuntu|Safari|Chrome|Edge|Firefox|Caddy|Numba|NumPy|g\+\+)(?: \d+,?)? \(?[\d.]+\b"
)
FENCED = re.compile(r"^( *)```.*?^\1```$", re.S | re.M)


class Untraced(NamedTuple):
    """A number that nothing in its section accounts for."""

    section: str
    number: str
    paragraph: str


def untraced(page: str, constants: Collection[str] = ()) -> list[Untraced]:
    """Return the measured numbers of a page that have neither a table nor a command."""
    return [
        Untraced(section.heading, number, paragraph)
        for section in _sections(page)
        for paragraph in section.prose
        if not (DAY.search(paragraph) and section.command)
        for number, value, decimals in _numbers(paragraph, constants)
        if not any(round(held, decimals) == value for held in section.held)
    ]


class _Section(NamedTuple):
    heading: str
    prose: list[str]
    held: set[float]  # the numbers of its tables and code
    command: bool


def _sections(page: str) -> Iterator[_Section]:
    fenced: list[str] = []
    whole = FENCED.sub(lambda block: (fenced.append(block[0]), f"\n\n    \0{len(fenced) - 1}\n\n")[1], page)
    for part in re.split(r"^(?=#{1,6} )", whole, flags=re.M):
        heading, _, rest = part.partition("\n") if part.startswith("#") else ("", "", part)
        blocks = [block for block in re.split(r"\n\s*\n|\n(?= *(?:[*-]|\d+\.) )", rest) if block.strip()]
        firm = [block for block in blocks if block.startswith(("    ", "|", "\n|"))]
        code = "\n".join(re.sub(r"\0(\d+)", lambda mark: fenced[int(mark[1])], block) for block in firm)
        prose = [" ".join(block.split()) for block in blocks if block not in firm]
        held = {float(number.replace(",", "")) for number in re.findall(DIGITS, code) if number.strip(",")}
        yield _Section(heading.strip("# "), prose, held, bool(COMMAND.search(f"{rest}\n{code}")))


def _numbers(paragraph: str, constants: Collection[str]) -> Iterator[tuple[str, float, int]]:
    """Yield (as printed, value, decimals) of each measured number of a paragraph."""
    plain = re.sub(r"`[^`]*`|\]\([^)]*\)", "", VERSION.sub("", DAY.sub("", paragraph)))
    for phrase in sorted(constants, key=len, reverse=True):
        plain = plain.replace(phrase, "")
    for found in MEASURED.finditer(plain):
        text = next(group for group in found.groups() if group).rstrip(",")
        word = VALUES.get(text.lower())
        value = float(text.replace(",", "")) if word is None else word
        decimals = len(text.partition(".")[2]) if word is None else int(value == 0.5)
        yield text, value, decimals
