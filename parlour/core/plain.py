"""Draw a `Scene` as text, for the terminal, doctests and logs: all that its page shows, compactly.

Pieces in a grid or a table appear by their `short` sign, and a key below the board explains those
signs that the rest of the text does not. `core.plain_tables` sets the grids and tables.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec.structs import replace

from parlour.core.plain_tables import columns, diamond, flow, grid, rows
from parlour.core.scene import Button, Piece, Scene, number, plates, signed

WIDTH = 78
MOST = 40  # moves listed
SIGNS = "●◆▲■⬢✦"  # players, as the page's shapes
FRESH = ("rolled", "turned", "last", "fresh")  # marks of recent changes
APART = ("stack", "counter", "track", "hand", "card")  # kinds that get a line of their own


def render(scene: Scene, width: int = WIDTH) -> str:
    """Draw the scene in lines of at most `width` characters: players, board, key, prompt, moves."""
    page = _Page(scene, width)
    seats, board = page.seats(), page.board()
    acts = page.acts()
    return "\n".join(line.rstrip() for line in (*seats, "", *board, *page.key([*seats, *board, *acts]), "", *acts))


def say(piece: Piece) -> str:
    """Return a piece in words: its name, and any text that the name lacks; not the pieces on it."""
    if piece.kind == "note":
        return " = ".join(filter(None, (piece.text, "" if piece.value is None else number(piece.value))))
    named = bool(_words(piece.text)) and _words(piece.text) <= _words(piece.name)
    colon = (_sentence(piece) or piece.kind == "stat") and _words(piece.name)
    words = (": " if colon else " ").join(filter(None, (piece.name, "" if named else piece.text)))
    if piece.value is None or _words(number(piece.value)) <= _words(words):
        return words
    if piece.kind == "stat" and not piece.text:
        return f"{words}: {number(piece.value)}"
    return f"{words} {number(piece.value)}".strip()


def _sentence(piece: Piece) -> bool:
    """Return whether a card has words on it, not only a sign."""
    return piece.kind == "card" and bool(_words(piece.text))


def _words(text: str) -> set[str]:
    """Return the words of a text, with short amounts ("25k", "1M") in full."""
    full = re.sub(r"\b(\d+)(k|M)\b", lambda cut: number(int(cut[1]) * (1_000 if cut[2] == "k" else 10**6)), text)
    return set(re.findall(r"[\w,.−]*\w", full.lower()))


def _has(words: str, part: str) -> bool:
    """Return whether `words` contain `part` as whole words."""
    return not part or re.search(rf"(?<![\w,]){re.escape(part.lower())}(?!\w)", words.lower()) is not None


class _Page:
    """Draw the pieces of one scene, and remember the signs used."""

    def __init__(self, scene: Scene, width: int) -> None:
        self.scene, self.width = scene, width
        self.signs: dict[str, list[str]] = {}  # sign -> its meanings

    # Players -------------------------------------------------------------------------------------
    def seats(self) -> list[str]:
        """Return a line for each player; ">" is to decide, "*" has won."""
        seats = plates(self.scene)
        names = [seat.name + (" (you)" if "you" in seat.marks else "") for seat in seats]
        values = ["" if seat.value is None else f"{number(seat.value)} {seat.short}".rstrip() for seat in seats]
        wide, far = max(map(len, names), default=0), max(map(len, values), default=0)
        lines = []
        for seat, name, value in zip(seats, names, values, strict=True):
            state = "*" if "winner" in seat.marks else ">" if "active" in seat.marks else " "
            head = f"{state} {_sign(seat.seat)} {name:<{wide}}  {value:>{far}}  "
            lines += self._wrap(seat.text, head, " " * min(len(head), 12))
        return lines

    # The board -----------------------------------------------------------------------------------
    def board(self) -> list[str]:
        """Return the board piece by piece."""
        return [line for piece in _spliced(self.scene.board.children) for line in self.block(piece)]

    def block(self, piece: Piece, indent: str = "") -> list[str]:
        """Return the lines of a piece and of everything on it."""
        if not (piece.name or piece.text or piece.children):
            return []
        if drawing := self._drawing(piece, indent):
            return drawing
        if piece.kind == "track":
            return self._track(piece, indent)
        words = f"{say(piece)}{_clause(piece)}"
        if piece.kind == "counter":
            words = f"{piece.name}: {signed(piece.value or 0)}{piece.text and f' ({piece.text})'}{_clause(piece)}"
        elif piece.kind == "stack" and piece.name[:1].islower():
            words = f"{number(piece.value or 0)} {piece.name}{_clause(piece)}"
        elif piece.kind != "stack" and self._single(piece):
            return self._wrap(f"{self.entry(piece)}{_clause(piece)}", indent, indent + "    ")
        inside = _spliced(piece.children)
        listed = [self.entry(child) for child in inside if not self._apart(child)]
        if piece.kind == "stack":  # its notes are counts
            listed = [_counted(child) if child.kind == "note" else self.entry(child) for child in inside]
        lines = self._list(words, listed, indent)
        for child in inside:
            if self._apart(child):
                lines += self.block(child, indent + "  ")
        return lines

    def _list(self, head: str, entries: Iterable[str], indent: str) -> list[str]:
        """Return a heading with its entries, counting equal neighbours."""
        found = [(words, len(list(same))) for words, same in groupby(filter(None, entries))]
        if any(_has(words, head) for words, _ in found):
            head = ""
        texts = [words + (f" ×{n}" if n > 1 else "") for words, n in found]
        if not texts:
            return self._wrap(head, indent, indent + "    ") if head else []
        return flow(f"{indent}{head}: " if head else indent, texts, self.width, indent + "    ")

    def entry(self, piece: Piece) -> str:
        """Return a piece as one entry of a line: its words, and what the pieces on it add."""
        own = say(piece)
        more: list[str] = []
        for words in self._inside(piece):
            if not any(_has(said, words) for said in (own, *more)):
                more = [said for said in more if not _has(words, said)] + [words]
        if own and len(more) == 1 and _has(more[0], own):
            own, more = more[0], []
        words = f"{own} ({', '.join(more)})" if own and more else own or " ".join(more)
        if piece.kind in ("token", "card") and piece.seat is not None:
            words = f"{_sign(piece.seat)} {words}"
        return f"[{words}]" if words and set(FRESH) & set(piece.marks) else words

    def _inside(self, piece: Piece) -> Iterator[str]:
        """Yield the words of the pieces on a piece, one by one."""
        for child in piece.children:
            if child.kind == "group" and not (child.name or child.text):
                yield from self._inside(child)
            elif (child.name or not _words(child.text) <= _words(piece.name)) and child.value != 0:
                yield self.entry(replace(child, seat=None))

    def _single(self, piece: Piece) -> bool:
        """Return whether a piece, with everything on it, makes one entry."""
        return not piece.layout and (
            not piece.children or (piece.kind == "group" and all(_plain(child) for child in piece.children))
        )

    def _apart(self, piece: Piece) -> bool:
        """Return whether a piece gets lines of its own where it lies."""
        if piece.kind in APART:
            return piece.kind != "card" or _sentence(piece)
        if piece.kind == "space":
            return False
        return piece.kind in ("panel", "board") or bool(piece.layout) or not self._single(piece)

    def _track(self, piece: Piece, indent: str) -> list[str]:
        """Draw how far each token is from the start to the goal."""
        head = ". ".join(filter(None, (piece.name, piece.text))) + _clause(piece)
        start, goal = piece.value or 0, piece.limit or 1
        end = max([goal, *(token.value or 0 for token in piece.children)])
        wide = max((len(token.name) for token in piece.children), default=0)
        long = max(min(40, self.width - wide - 12), 8)
        lines = self._wrap(head, indent, indent + "    ")
        for token in piece.children:
            at, finish = (round((long - 1) * (v - start) / max(end - start, 1)) for v in (token.value or 0, goal))
            line = ["·"] * long
            line[finish], line[at] = "|", _sign(token.seat)
            lines.append(f"{indent}  {token.name:<{wide}}  {''.join(line)}")
        return lines

    # Grids and tables ------------------------------------------------------------------------------
    def _drawing(self, piece: Piece, indent: str) -> list[str]:
        """Draw a grid or a table, if the piece is one; as a list if it is too wide for the page."""
        room = self.width - len(indent) - 2
        if piece.layout == "rows":
            found = rows(self._rows(piece), room)
        elif piece.layout == "columns":
            found = columns([(say(child), self._row(child)) for child in piece.children], room)
        elif piece.layout == "grid" and piece.limit and any(child.kind == "space" for child in piece.children):
            cells = [(child.at, self.sign(child) or "·") for child in piece.children if child.kind == "space"]
            turned = diamond([words for _, words in cells], piece.limit, room) if "diamond" in piece.marks else []
            found = turned or grid(cells, piece.limit, room)
        else:
            return []
        head = self._wrap(f"{say(piece)}{_clause(piece)}", indent, indent + "    ") if piece.name else []
        rest = [line for child in _others(piece) for line in self.block(child, indent + "  ")]
        return [*head, *(f"{indent}  {line}" for line in found), *rest]

    def _row(self, row: Piece, places: int = 0) -> list[str]:
        """Return the signs of a row's or column's cells, runs of places padded to `places`
        cells."""
        cells = [row.text] if row.text and row.kind == "space" else []
        for cell in row.children:
            if _run(cell):
                inside = [self.sign(place) for place in cell.children]
                if cells and _has(cell.name, cells[-1]):
                    cells.pop()
                cells += [cell.name, *inside, *[""] * (places - len(inside))]
            else:
                cells.append(self.sign(cell))
        return cells

    def _rows(self, piece: Piece) -> list[list[str]]:
        """Return the rows of a table, without a first cell that the second repeats."""
        places = max((len(cell.children) for row in piece.children for cell in row.children if _run(cell)), default=0)
        lines = [self._row(row, places) for row in piece.children]
        most = max(map(len, lines), default=0)
        again = [len(line) > 2 and line[1] == line[0] for line in lines]
        drop = most > 2 and all(same for line, same in zip(lines, again, strict=True) if len(line) == most)
        return [line[1:] if drop and same else line for line, same in zip(lines, again, strict=True)]

    def sign(self, piece: Piece) -> str:
        """Return a piece in as few letters as possible; remember their meaning for the key."""
        place = piece.kind == "space"
        unnamed = piece.kind in ("group", "label", "badge") and not piece.name
        own = piece.short or (piece.text if place or unnamed else "")
        if piece.seat is not None and (piece.short or piece.kind == "token"):
            own = piece.short + _sign(piece.seat)
        if not (own or place or unnamed):
            return self.entry(piece)
        if not (place or unnamed):
            known = self.signs.setdefault(own, [])
            known += [piece.name] if piece.name not in known else []
        inside = [words for words in map(self.sign, piece.children) if words and words not in own]
        words = ""
        for part in filter(None, [own, *inside] if place else [*inside, own]):
            words += ("" if not words or words[-1] in SIGNS else " ") + part
        return f"[{words}]" if words and set(FRESH) & set(piece.marks) and not place else words

    def key(self, page: list[str]) -> list[str]:
        """Explain the signs that the page itself does not explain."""
        said = " ".join(" ".join(page).split())
        found: dict[str, list[str]] = {}
        pairs = [(sign, name) for sign, names in self.signs.items() for name in names]
        for sign, name in sorted(pairs, key=lambda pair: -len(pair[1])):
            placed = name.startswith(sign) and all(part in said for part in name.split(", "))  # by row and column
            if not placed and name not in said:
                found.setdefault(sign, []).append(name)
                said += f" {name}"
        entries = [f"{sign} = {', '.join(found[sign])}" for sign in self.signs if sign in found]
        few = [entry for entry in entries if len(entry) <= 40]
        lines = flow("  ", few, self.width, "  ") if few else []
        for entry in entries:
            if entry not in few:
                lines += self._wrap(entry, "  ", "      ")
        return ["Signs", *lines] if lines else []

    # Possible moves ----------------------------------------------------------------------------------
    def acts(self) -> list[str]:
        """Return the prompt, the decisions of the bar, and the moves made by clicking pieces."""
        scene = self.scene
        words = scene.prompt + (f" [{scene.clause}]" if scene.clause else "")
        lines = self._wrap(words, "", "")
        for button in scene.buttons:
            lines += self._button(button)
        said = {button.action for button in scene.buttons}
        clicked = {piece.action: piece for piece in _all(scene.board) if piece.action and piece.action not in said}
        plain = [move for move, piece in clicked.items() if _drawn(piece)]
        if plain:
            more = f" ({len(plain)} in all)" if len(plain) > MOST else ""
            lines += flow("  On the board: ", plain[:MOST], self.width, "    ", more)
        for move, piece in clicked.items():
            if not _drawn(piece):
                lines += self._wrap(f"{move} = {piece.name}", "  ", "      ")
        lines += self._pick()
        if scene.undo:
            lines.append("  undo = Take back the last decision")
        return lines

    def _button(self, button: Button) -> list[str]:
        words = " ".join(filter(None, (button.label, f"({button.hint})" if button.hint else "")))
        if button.action:
            return self._wrap(f"{button.action} = {words}", "  ", "      ")
        return self._wrap(f"not now: {words}" + (f": {button.why}" if button.why else ""), "  ", "      ")

    def _pick(self) -> list[str]:
        """Describe a choice of several pieces: from what, in how many ways, in what words."""
        pick = self.scene.pick
        if pick is None:
            return []
        label = " ".join(pick.label.replace("{n}", "").split())
        missing = pick.hints.get("0") or pick.hints.get("")
        label += f" ({missing})" if missing else ""
        why = pick.whys.get("")
        if not pick.moves:
            return self._wrap(f"not now: {label}" + (f": {why}" if why else ""), "  ", "      ")
        moves = sorted(dict.fromkeys(pick.moves.values()), key=lambda move: (len(move.split()), move))
        parts = list(dict.fromkeys(piece.part for piece in _all(self.scene.board) if piece.part))
        spoken = {word for move in moves for word in move.split()}
        if len(moves) <= MOST:
            lines = flow(f"  {label}: ", moves, self.width, "    ")
        else:
            few = moves[:: max(len(moves) // 4, 1)][:4]
            lines = flow(f"  {label}, for example: ", few, self.width, "    ", f" ({len(moves)} in all: `moves`)")
        parts = [part for part in parts if part in spoken]
        return lines + (flow("    of: ", parts, self.width, "      ") if parts else [])

    def _wrap(self, text: str, first: str, then: str) -> list[str]:
        return textwrap.wrap(
            text, self.width, initial_indent=first, subsequent_indent=then, break_on_hyphens=False
        ) or [first]  # fmt: skip


def _sign(seat: int | None) -> str:
    return " " if seat is None else SIGNS[seat % len(SIGNS)]


def _clause(piece: Piece) -> str:
    return f" [{piece.clause}]" if piece.clause else ""


def _counted(note: Piece) -> str:
    return note.text + ("" if note.value is None else f" ×{number(note.value)}")


def _plain(piece: Piece) -> bool:
    """Return whether a piece can be part of a list: nothing on it needs a line of its own."""
    if piece.kind in APART or piece.layout:
        return piece.kind == "card" and not _sentence(piece)
    return not piece.children or (not piece.name and all(map(_plain, piece.children)))


def _spliced(pieces: Iterable[Piece]) -> list[Piece]:
    """Replace silent groups that hold more than one line's worth by their contents."""
    found: list[Piece] = []
    for piece in pieces:
        if piece.kind == "group" and not (piece.name or piece.text or piece.layout) and not _plain(piece):
            found += _spliced(piece.children)
        else:
            found.append(piece)
    return found


def _run(piece: Piece) -> bool:
    """Return whether a cell of a row is a run of places."""
    return piece.kind == "group" and bool(piece.children) and all(child.kind == "space" for child in piece.children)


def _others(piece: Piece) -> list[Piece]:
    """Return the pieces in a grid that are not in its slots."""
    if piece.layout in ("rows", "columns"):
        return []
    return _spliced(child for child in piece.children if child.kind != "space")


def _drawn(piece: Piece) -> bool:
    """Return whether the drawing shows what a piece's action does, so the list of moves omits
    it."""
    first = piece.name.split(",")[0]
    drawn = piece.kind == "space" and bool(piece.short) and (first.startswith(piece.short) or _has(piece.action, first))
    return drawn or piece.kind in ("token", "card", "die", "gem") or not first or piece.name.startswith(piece.action)


def _all(piece: Piece) -> Iterator[Piece]:
    yield piece
    for child in piece.children:
        yield from _all(child)
