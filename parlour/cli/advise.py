"""`parlour advise`: what each decision in a position is worth, from the game's own solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli import asking, output
from parlour.core import solving
from parlour.core.errors import BadSetup, ParlourError
from parlour.core.game import Game
from parlour.core.record import Record
from parlour.core.solving import Command, Question

if TYPE_CHECKING:
    from parlour.core.match import Match


def advise(context: typer.Context) -> None:
    """Say exactly what each decision in a position is worth, in games that have a solver."""
    source = _Source()
    body = _body(source)
    game = asking.named(context.args, body, _declared, source.game)
    asking.run("advise", body, context.args, _declared, game)


def _declared(game: Game) -> Sequence[Command]:
    return [
        getattr(solving.solution(game), name)
        for name in ("POSITION", "ADVISE")
        if hasattr(solving.solution(game), name)
    ]


class _Source:
    """The subject of the question: a game by name, or a record. Standard input can be read only once."""

    def __init__(self) -> None:
        self._piped: Record | None = None

    def record(self, source: str) -> Record:
        """Return the record in a file, or on standard input for "-". Raises NoFile, BrokenRecord."""
        if source == "-":
            self._piped = self._piped or output.read_record(Path(source))
            return self._piped
        return output.read_record(Path(source))

    def game(self, argument: str) -> Game | None:
        """Return the game that an argument names or whose record it is; otherwise None."""
        from parlour.games import find

        if known := asking.game_called(argument):
            return known
        if argument != "-" and not Path(argument).is_file():
            return None
        try:
            return find(self.record(argument).game)
        except ParlourError:  # the command itself will report it
            if argument == "-":
                raise
            return None


def _body(known: _Source) -> Callable[..., None]:
    def body(
        source: Annotated[
            str, typer.Argument(metavar="FILE|GAME", help="A record (- for standard input) or a game with a solver.")
        ],
        step: Annotated[
            int | None, typer.Option("--step", min=0, help="With a record: the position after this step.")
        ] = None,
        edition: output.EditionName = None,
        changes: output.Changes = None,
        option: output.Options = None,
        json: output.Json = False,
        *,
        given: dict[str, object],
    ) -> None:
        """Say what each decision in a position is worth, from the game's own solver. The position comes from a record,
        or you describe it.

        Example: `parlour advise game.txt --step 12`
        """
        with output.progress("solving", "solving") as tell:
            if game := asking.game_called(source):
                solution = asking.solution(game)
                if step is not None:
                    raise typer.BadParameter("it needs a record.", param_hint="--step")
                asked = asking.question(game, output.edition_of(game, edition, changes), option, given, tell)
                match = _described(asked)
            else:
                match = _of_record(known.record(source), step)
                solution = asking.solution(match.game)
                _refuse(match.game, {"--edition": edition, "--set": changes, "--option": option}, given)
                asked = asking.question(match.game, match.edition, [], given, tell)
            if not hasattr(solution, "advise"):
                raise BadSetup(f"The solver of {match.game.text.TITLE} gives no advice.")
            answer = solution.advise(match, asked)
        if json:
            output.emit(answer.data)
            return
        from parlour.bots import chances, solved
        from parlour.core import plain
        from parlour.core.scene import SPECTATOR

        print(plain.render(match.scene(SPECTATOR)))
        print()
        asking.show(answer)
        print(chances.holds(None, exact=solved.exact(match.game, len(match.names))))

    return body


def _described(asked: Question) -> Match:
    if not hasattr(solving.solution(asked.game), "position"):
        raise BadSetup(f"You can't describe a position of {asked.game.text.TITLE}. Give the file of a record instead.")
    return solving.solution(asked.game).position(asked)


def _refuse(game: Game, table: Mapping[str, object], given: dict[str, object]) -> None:
    """Raise BadParameter if options describe a position although there is a record."""
    position: Command = getattr(solving.solution(game), "POSITION", Command())
    said = [asking.written(one) for one in position.parameters if given.get(one.name) != one.default]
    said += [name for name, value in table.items() if value]
    if said:
        raise typer.BadParameter("the record already says this.", param_hint=" and ".join(said))


def _of_record(record: Record, step: int | None) -> Match:
    from parlour.core.replay import replay
    from parlour.games import find

    replay(record, find)
    if step is not None:
        if step > len(record.steps):
            raise typer.BadParameter(f"the record has {len(record.steps)} steps.", param_hint="--step")
        record = record.upto(step)
    return replay(record, find)
