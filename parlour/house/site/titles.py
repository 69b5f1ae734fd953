"""What is played, in words: a game, its ruleset, the options of a table."""

from __future__ import annotations

from parlour.core import fields
from parlour.core.edition import Edition
from parlour.core.errors import ParlourError
from parlour.core.facts import RULESET
from parlour.games import find
from parlour.house.site.addresses import OPTION, numbers_address
from parlour.house.table.storage.rows import TableRow

FEW = 2  # changed components that a list names


def title_of(game: str, ruleset: str) -> str:
    """Return a game, and its ruleset if it has several; by its id if this server doesn't have it."""
    try:
        found = find(game)
    except ParlourError:
        return f"{game}: {ruleset}" if ruleset else game
    name = found.ruleset_line(ruleset).partition(":")[0] if ruleset else ""
    return f"{found.text.TITLE}: {name}" if name else found.text.TITLE


def ruleset_title(name: str, ruleset: str) -> str:
    """Return the name of a ruleset, or of a game that has only one."""
    game = find(name)
    return game.ruleset_line(ruleset).partition(":")[0] if ruleset else game.text.TITLE


def about(row: TableRow) -> str:
    """Return what is played at a table: its ruleset, and the options and numbers that differ from the default."""
    found, ruleset = find(row.game), row.options.get(RULESET, "")
    words = [found.ruleset_line(ruleset).partition(":")[0]] if ruleset else []
    for option in found.facts.options:
        value = row.options.get(option.name, option.default)
        if option.name != RULESET and value != option.default and value in option.values and option.matters(ruleset):
            words.append(f"{option.help.rstrip('.')}: {option.said(value)}")
    if changed := changed_numbers(row):
        words.append(changed)
    if row.programs:
        words.append("programs may play")
    return " · ".join(words)


def changes(row: TableRow) -> tuple[str, ...]:
    """Return how the values of a table differ from its game's edition, in words; () for an edition of the game."""
    own = _own(row)
    return fields.said(*own) if own else ()


def numbers(row: TableRow) -> str:
    """Return the address of the page with the changed values and options of a table; "" for an edition of the game."""
    if (own := _own(row)) is None:
        return ""
    game = find(row.game)
    options = {f"{OPTION}{one.name}": value for one in game.facts.options
               if (value := row.options.get(one.name, one.default)) != one.default}  # fmt: skip
    return numbers_address(game, own[0], fields.given(*own) | options)


def _own(row: TableRow) -> tuple[Edition, Edition] | None:
    """Return the game's edition and that of the table which was made from it; None for an edition of the game."""
    game = find(row.game)
    edition = game.recorded_edition(row.edition, row.parts)
    return (game.named(edition.base), edition) if edition.base else None


def changed_numbers(row: TableRow) -> str:
    """Return the same in one line, for lists: at most FEW components; "" for an edition of the game."""
    found = changes(row)
    more = len(found) - FEW
    words = " · ".join(found[:FEW]) + (f" · and {more} more" if more > 0 else "")
    return f"changed numbers: {words}" if found else ""


def nth(rank: int) -> str:
    """Return "1st", "2nd", "3rd", "4th"."""
    if 10 < rank % 100 < 14:
        return f"{rank}th"
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th') }"
