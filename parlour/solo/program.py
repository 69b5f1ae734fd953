"""Programs that a page shows, run one after the other in one namespace, as in a notebook."""

from __future__ import annotations

import ast
import io
import json
import traceback
from contextlib import redirect_stdout

NAME = "<block>"  # of a program in a traceback
MOST = 100_000  # characters of output that a page gets


class Program:
    """The programs of one page."""

    def __init__(self) -> None:
        self._names: dict[str, object] = {"__name__": "__main__"}

    def run(self, code: str) -> str:
        """Run a program; return as JSON what it printed, the last expression as HTML if it has that, and whether it
        ended without an error."""
        output, markup, done = io.StringIO(), "", True
        try:
            with redirect_stdout(output):
                value = self._value(code)
                markup = value._repr_html_() if hasattr(value, "_repr_html_") else ""
                if value is not None and not markup:
                    print(repr(value))
        except BaseException as error:  # SystemExit and KeyboardInterrupt end the program, not the page
            frames = traceback.extract_tb(error.__traceback__)
            lines = [f"line {frame.lineno}: " for frame in frames if frame.filename == NAME]
            output.write(f"{''.join(lines[-1:])}{''.join(traceback.format_exception_only(error))}")
            done = False
        return json.dumps({"output": output.getvalue()[:MOST], "html": markup, "done": done})

    def _value(self, code: str) -> object:
        """Run a program, and return the value of its last line if that is an expression."""
        tree = ast.parse(code, NAME)
        last = tree.body[-1] if tree.body else None
        if not isinstance(last, ast.Expr):
            exec(compile(tree, NAME, "exec", dont_inherit=True), self._names)
            return None
        tree.body.pop()
        exec(compile(tree, NAME, "exec", dont_inherit=True), self._names)
        value: object = eval(compile(ast.Expression(last.value), NAME, "eval", dont_inherit=True), self._names)
        return value
