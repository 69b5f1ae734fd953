"""Patterns of English that no native speaker would write, and where they are.

The pages (README.md, SECURITY.md, CHANGELOG.md, docs/*.md) may have none. Elsewhere (docs/games; docstrings, comments
and strings) `wording.toml` has a count for each folder, which may only shrink: `python -m tests.docs.wording --write`
lowers it and never raises it. `python -m tests.docs.wording FOLDER` lists every place in a folder.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("wording.toml")
PAGES = [ROOT / name for name in ("README.md", "SECURITY.md", "CHANGELOG.md")] + sorted((ROOT / "docs").glob("*.md"))
COUNTED = ("docs/games", "parlour", "tests", "scripts", "examples", "benchmarks", "deploy")
TEXTS = {".html", ".js", ".css", ".txt", ".md", ".sh", ""}  # besides Python; the templates are .html
NOT_COUNTED = ("tests/docs/wording.py", "tests/docs/test_words.py", "tests/docs/printed.txt")


class Pattern(NamedTuple):
    """A pattern, why it is banned, and what to write instead."""

    keys: tuple[str, ...]  # small letters, one of which is in every match: looking for these first is fast
    regex: str
    why: str
    instead: str


PATTERNS = (
    Pattern(
        ("who",),
        r"(?:^|(?<=[.!:|]\s))Who (?:(?!\n\n)[^.?!|]){3,200}[.!]",
        '"Who ..." without a person before it is not a subject in English',
        'name the person: "you", "a player who", "anyone who"',
    ),
    Pattern(
        ("whoever", "whomever"),
        r"\b[Ww]ho(?:m)?ever\b",
        '"whoever" hides the person',
        '"you", "the player who", "anyone who"',
    ),
    Pattern(
        (" who", "\nwho"),
        r"\b(?:of|for|to|by|from|than|with) who\b(?! in \w+ %})",  # a loop of a template is no English
        '"of who", "to who" has nothing to refer to',
        'name the person: "of the player who", "to anyone who"',
    ),
    Pattern(
        (" told", "\ntold"),
        r"\b(?:am|is|are|be|was|were|being|been) told\b(?! (?:apart|from)\b)",
        '"told" stands for six different acts',
        'the verb for the act: "notified", "shown", "sent", "logged"; or "you see"',
    ),
    Pattern(("one's", "oneself"), r"\bone's\b|\boneself\b", '"one\'s" is stiff', '"your" or "a player\'s"'),
    Pattern(
        ("body",),
        r"\b(?!\A(?:Somebody(?: \(2\))?|nobody)\Z)(?!(?<=[\"“])Somebody[\"”])(?:[Nn]o|[Ss]ome|[Aa]ny|[Ee]very)body\b",
        "these are vague and, repeated, a dialect",
        '"a player", "people", "anyone", "everyone", "no one"; or turn the sentence round',
    ),
    Pattern(
        ("any", "longer"),
        r"\b(?:nobody|nothing|none|no one) any more\b|\bno longer one\b",
        "a state is meant",
        "say the state",
    ),
    Pattern(
        ("none",),
        r"\b(?:is|are|was|were) none\b(?! %})",  # a condition of a template is no English
        '"is none" hides what is missing',
        '"there is no ...", "has no ..."',
    ),
    Pattern(
        ("many",),
        r"\bso many\b(?! (?:people|things))|(?<!twice\s)(?<!times\s)\bas many\b(?! (?:[\w-]+ ){0,4}as\b)",
        "a number without its noun",
        "name what is counted",
    ),
    Pattern(
        ("itself", "themselves"),
        r"\bby (?:itself|themselves)\b|\bof itself\b",
        "things do not act",
        'say who does it: "the house restarts it"; or "automatically"',
    ),
    Pattern(
        ("keeper",), r"\bhouse-?keepers?\b", "a housekeeper cleans", '"keeper" (admin), "moderator", "the operator"'
    ),
    Pattern(
        ("mailbox", "letter"),
        r"\bmailbox(?:es)?\b|\bby letter\b|\b[Aa] letter\b(?! of\b)|\bletters? (?:to|about|that)\b|\bthe letter's\b",
        "email is not a letter",
        '"email", "email address"',
    ),
    Pattern(
        (" on", "\non"), r"\b(?:goes|go|went|going|gone) on\b", "an all-purpose verb", '"continue", "happen", "run"'
    ),
    Pattern(
        ("stand", "stood", "lie", "lay"),
        r"\b(?:stands?|stood|lies?|lay) (?:in|on|at|for|there|here|behind|beside)\b",
        "things do not stand or lie in English prose",
        '"is", "appears", "is shown", "means", "is stored"',
    ),
    Pattern((" in", "\nin"), r"\bcomes? in\b", "an all-purpose verb", '"sign in", "arrive", "enter", "is inserted"'),
    Pattern(("had",), r"\b(?:can|to) be had\b", '"to be had" is old', '"is available", "exists"'),
    Pattern(
        (" so", "\nso"),
        r"\bit is so\b|\bthat is so\b|\bno longer so\b",
        '"so" stands for a clause',
        "say it again in words",
    ),
    Pattern(
        ("also",),
        r",\s+also "
        r"(?:a|after|an|at|before|by|for|from|if|in|of|on|one|ones|the|those|to|what|when|where|while|with|without)\b",
        '", also ..." says "even" or "including" as German does',
        '"even", "including"',
    ),
    Pattern(
        ("no more",),
        r"\b(?:used|asked|there|needed) no more\b(?! than)",
        '"used no more" is old',
        '"no longer used", "not used again"',
    ),
    Pattern(
        (" no ", "\nno ", " no\n"),
        r"(?<!here\s)\b(?:is|are|was|were) no "
        r"(?!(?:closer|better|different|earlier|faster|further|higher|larger|later|less|longer|lower|more|older|one|"
        r"slower|smaller|stronger|than|weaker|wider|worse)\b)[a-z]",
        '"is no ..." denies what a thing is as German does',
        '"is not a ..."',
    ),
    Pattern(
        ("sel",),
        r"\b(?:themself|themselves|himself) (?:away|gone)\b|\bdeletes? (?:them|one)sel(?:f|ves)\b",
        "people are not deleted",
        '"deletes their account"',
    ),
)
_ALL = [(re.compile(pattern.regex.replace(" ", r"\s+"), re.M), pattern) for pattern in PATTERNS]


class Place(NamedTuple):
    """Where a pattern is, and in which sentence."""

    file: str
    line: int
    pattern: Pattern
    sentence: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.pattern.why}; write {self.pattern.instead}.\n    {self.sentence}"


def found(text: str, file: str = "", first: int = 1) -> list[Place]:
    """Return every place in a text that begins at a line of a file."""
    places = []
    small = text.lower()
    for regex, pattern in _ALL:
        if not any(key in small for key in pattern.keys):
            continue
        for match in regex.finditer(text):
            begin = max((text.rfind(mark, 0, match.start()) for mark in (". ", "? ", "| ", "\n\n")), default=-1) + 1
            ends = [at for mark in (".", "?", "|", "\n\n") if (at := text.find(mark, match.end() - 1)) >= 0]
            sentence = " ".join(text[begin : min(ends, default=len(text)) + 1].split())
            line = first + text.count("\n", 0, match.start())
            places.append(Place(file, line, pattern, sentence[:300]))
    return sorted(places, key=lambda place: place.line)


def prose(text: str) -> str:
    """Return Markdown without code, quoted words of screens and output of commands, with its lines in place."""

    def blank(match: re.Match[str]) -> str:
        return "\n" * match[0].count("\n")

    apart = (
        r"^\s*```.*?^\s*```",  # code
        r"`[^`]*`",
        r"<!--.*?-->",
        r"^\| 20\d\d-\d\d-\d\d .*?$",  # a figure, as its command printed it
        r"\]\([^)]*\)",  # addresses
        r'"[^"\n]*"',  # what a screen says
    )
    for pattern in apart:
        text = re.sub(pattern, blank, text, flags=re.DOTALL | re.MULTILINE)
    return text


def spoken(text: str) -> Iterator[tuple[int, str]]:
    """Yield the strings and comments of a Python module, each with its line, if there is anything to find in them."""
    if not found(text):
        return  # parsing takes most of the time
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
    if not found("\n\n".join(re.findall(r"#\s*(.*)", text))):
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def places_in(path: Path) -> list[Place]:
    """Return every place in a file."""
    name, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
    if path.suffix == ".md":
        return found(prose(text), name)
    if path.suffix != ".py":
        return found(text, name)
    places = [place for line, said in spoken(text) for place in found(said, name, line)]
    return sorted(places, key=lambda place: place.line)


def folder_of(name: str) -> str:
    """Return the folder below which a file is counted: two levels, or one."""
    parts = name.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


@cache
def counted() -> dict[str, list[Place]]:
    """Return the places of every counted folder, by folder."""
    command = ["git", "ls-files", "-z", *COUNTED]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    places: dict[str, list[Place]] = {}
    for name in sorted(listed.split("\0")):
        path = ROOT / name
        if name and name not in NOT_COUNTED and path.exists() and path.suffix in TEXTS | {".py"}:
            places.setdefault(folder_of(name), []).extend(places_in(path))
    return places


def stored() -> dict[str, int]:
    """Return the counts that may only shrink."""
    counts: dict[str, int] = tomllib.loads(FILE.read_text("utf-8"))["counts"] if FILE.exists() else {}
    return counts


def changed_lines(folder: str) -> set[tuple[str, int]]:
    """Return the lines of a folder that are newer than its stored count, as far as git knows."""
    since = ["git", "log", "-1", "--format=%H", "--", FILE.relative_to(ROOT).as_posix()]
    commit = subprocess.run(since, cwd=ROOT, capture_output=True, text=True).stdout.strip()
    if not commit:
        return set()
    diff = ["git", "diff", "-U0", "--no-color", commit, "--", folder]
    lines: set[tuple[str, int]] = set()
    name = ""
    for line in subprocess.run(diff, cwd=ROOT, capture_output=True, text=True).stdout.splitlines():
        if line.startswith("+++ b/"):
            name = line[6:]
        elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            begin, length = int(hunk[1]), int(hunk[2] or 1)
            lines |= {(name, number) for number in range(begin, begin + length)}
    return lines


def grown(folder: str) -> str:
    """Return the message for a folder that has more places than its stored count."""
    places, limit = counted()[folder], stored().get(folder, 0)
    new = changed_lines(folder)
    suspects = [place for place in places if (place.file, place.line) in new] or places
    lines = "\n".join(map(str, suspects[:40]))
    return f"{folder} has {len(places)} places, {limit} are allowed. New since that was counted:\n{lines}"


def write() -> None:
    """Lower the stored counts to what is there; a folder that is new gets its count."""
    before = stored()
    counts = {folder: min(len(places), before.get(folder, len(places))) for folder, places in counted().items()}
    rows = "".join(f'"{folder}" = {count}\n' for folder, count in sorted(counts.items()) if count)
    FILE.write_text(
        "# Places with a banned pattern in docstrings, comments and strings: these numbers may only shrink.\n"
        f"# Written by `python -m tests.docs.wording --write`.\n[counts]\n{rows}",
        "utf-8",
    )


def main() -> None:
    """Write the counts, or list the places of folders or pages."""
    if "--write" in sys.argv[1:]:
        write()
        return
    asked = sys.argv[1:]
    for name in asked:
        path = ROOT / name
        places = places_in(path) if path.is_file() else counted().get(name.rstrip("/"), [])
        print("\n".join(map(str, places)))
    if not asked:
        print(Counter({folder: len(places) for folder, places in counted().items()}).most_common())


if __name__ == "__main__":
    main()
