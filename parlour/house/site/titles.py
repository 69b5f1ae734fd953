"""What is played, in words: a game, its ruleset, the options of a table."""

from __future__ import annotations

from parlour.core.errors import ParlourError
from parlour.core.facts import RULESET
from parlour.games import find
from parlour.house.table.storage.rows import TableRow


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
    """Return what is played at a table: its ruleset, and the options that differ from the default."""
    found, ruleset = find(row.game), row.options.get(RULESET, "")
    words = [found.ruleset_line(ruleset).partition(":")[0]] if ruleset else []
    for option in found.facts.options:
        value = row.options.get(option.name, option.default)
        if option.name != RULESET and value != option.default and value in option.values and option.matters(ruleset):
            words.append(f"{option.help.rstrip('.')}: {option.said(value)}")
    if row.programs:
        words.append("programs may play")
    return " · ".join(words)
