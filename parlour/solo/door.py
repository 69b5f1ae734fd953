"""The door of the worker: the page asks it what it would ask a house, in the same words."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from typing import cast

from parlour.core.errors import ParlourError
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.solo import drawing
from parlour.solo.scenes import scenes
from parlour.solo.table import PERSON, Table

Body = Mapping[str, object]


class NotPlaying(ParlourError):
    """There is no game yet."""

    code = "not-playing"


class StaleMove(ParlourError):
    """A move for another position than the present one."""

    code = "stale-move"


class Door:
    """The one table of a page. `rules` is the address of the rulebook."""

    def __init__(self, name: str, package: str, ruleset: str, rules: str) -> None:
        self.game = Game(name, package)
        self.rules = rules
        self.options = self.game.options({RULESET: ruleset} if ruleset else {})
        self.ruleset = ruleset
        self.table: Table | None = None
        self._last: Body = {}  # how the present game began
        self._sent = ""  # what the page shows round the scene

    def ready(self) -> None:
        """Import what a first decision needs, before the page asks for it."""
        with contextlib.suppress(Exception):  # an error in a game's own code is said when its reader begins
            Table.new(self.game, self.options, self.rules, {}, 0)

    def ask(self, deed: str, body: str) -> str:
        """Do what the page asks for ("moves", "undo", "start" ...); return the status and the answer as JSON."""
        try:
            act = self._deeds().get(deed)
            if act is None:
                return json.dumps([404, {"error": {"code": "not-found", "message": f"There is no {deed!r} here."}}])
            return json.dumps([200, act(json.loads(body or "{}"))])
        except ParlourError as error:
            return json.dumps([409, {"error": {"code": error.code, "message": error.message, "clause": error.clause}}])

    def update(self, since: int = -1) -> str:
        """Return a message of the stream as JSON, "" if there is nothing new.

        `since` is the version that a page has which connects anew; -1 for the page that got all messages so far.
        """
        table = self.table
        if table is None:
            return ""
        frames, fresh = list(table.frames), table.fresh
        if since >= 0:
            self._sent = ""
            if since != table.version - len(frames):
                frames, fresh = [table.present()], True
        rest = drawing.rest(table)
        if not frames and rest == self._sent:
            return ""
        table.frames.clear()
        table.fresh = False
        changed, self._sent = "" if rest == self._sent else rest, rest
        said = {
            "version": table.version,
            "frames": [
                {
                    "version": one.version,
                    "html": one.html,
                    "log": one.log,
                    "moment": one.moment,
                    "changes": False,
                    "sounds": one.sounds,
                    "great": one.great,
                }
                for one in frames
            ],
            "table": changed,
            "title": drawing.title(table),
            "fresh": fresh,
            "eyes": PERSON,
            "marks": ["", ""],
            "base": ["", ""],
        }
        return json.dumps(said, ensure_ascii=False)

    def due(self) -> int:
        """Return in how many milliseconds a bot moves; -1 if none does."""
        return -1 if self.table is None else self.table.due()

    def go_on(self) -> None:
        """Let the bot move."""
        self._playing().go_on()

    def saved(self) -> str:
        """Return what continues this game later, as JSON; "" without a game that is under way."""
        table = self.table
        if table is None or table.match.over:
            return ""
        return json.dumps({"record": table.match.record().to_text(), "bot": table.level, "began": self._last})

    # What a page asks for -----------------------------------------------------------------------
    def _deeds(self) -> Mapping[str, Callable[[Body], object]]:
        return {
            "start": self._start,
            "rematch": lambda _: self._start(self._last),
            "continue": self._continue,
            "moves": self._move,
            "pace": lambda _: self._playing().hurry(),
            "undo": self._undo,
            "replay": self._replay,
            "record": lambda _: {"record": self._playing().match.record().to_text()},
            "scenes": lambda body: scenes(self.game, str(body["record"]), self.rules),
        }

    def _playing(self) -> Table:
        if self.table is None:
            raise NotPlaying("The game hasn’t started yet.")
        return self.table

    def _start(self, body: Body) -> object:
        version = self.table.version if self.table else 0
        if body.get("lesson"):
            self.table = Table.learning(self.game, self.ruleset, self.rules, str(body.get("name") or ""), version)
        else:
            self.table = Table.new(self.game, self.options, self.rules, body, version)
        self._last = {**body, "lesson": False}
        return {}

    def _continue(self, body: Body) -> object:
        self._last = cast(Body, body.get("began") or {})
        pace = str(self._last.get("pace") or "")
        self.table = Table.continued(self.game, str(body["record"]), self.rules, str(body["bot"]), pace)
        return {}

    def _move(self, body: Body) -> object:
        table = self._at(body)
        table.play(str(body["move"]))
        return {"version": table.version}

    def _undo(self, body: Body) -> object:
        table = self._at(body)
        table.undo()
        return {"version": table.version}

    def _replay(self, body: Body) -> object:
        frame = self._playing().past(int(str(body["step"])))
        return {"frame": {"version": frame.version, "html": frame.html}}

    def _at(self, body: Body) -> Table:
        table = self._playing()
        if body.get("version") != table.version:
            raise StaleMove("The position changed before you pressed. Look at it, and press again.")
        return table
