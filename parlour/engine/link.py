"""Copy modules so that their functions see each other's copies, to run one source in two ways.

Starting from given modules, the linker follows everything that their functions name: functions of
other modules (`random_below`), whole modules (`rules`), tables of constants. It leaves modules of
the standard library alone.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

Convert = Callable[[Any], Any]


class Linker:
    """Makes the copies.

    `function` converts each copied function, `table` each constant tuple of ints.
    """

    def __init__(self, function: Convert, table: Convert) -> None:
        self._function = function
        self._table = table
        self.copies: dict[str, ModuleType] = {}  # by name of the module copied

    def link(self, module: ModuleType, bound: Mapping[str, Any] | None = None) -> ModuleType:
        """Return the copy of `module`; `bound` gives names whose value in the copy is fixed."""
        if module.__name__ in self.copies:
            return self.copies[module.__name__]
        copy = self.copies[module.__name__] = ModuleType(module.__name__)
        names = copy.__dict__
        names.update(bound or {})
        own = own_functions(module)
        for name, function in own.items():  # copy all before following anything: modules may form a circle
            if name not in names:
                names[name] = self._function(_clone(function, names))
        for name in used_names(own.values()):
            if name not in names and name in vars(module):
                names[name] = self._follow(vars(module)[name])
        for name, value in vars(module).items():  # names used only elsewhere (PARTS, MAX_LEGAL, State)
            if name not in names and not name.startswith("__"):
                names[name] = self._follow(value) if isinstance(value, FunctionType) or is_table(value) else value
        return copy

    def _follow(self, value: Any) -> Any:
        if isinstance(value, ModuleType):
            return value if _foreign(str(value.__name__)) else self.link(value)
        if isinstance(value, FunctionType) and not _foreign(value.__module__):
            home, name = sys.modules[value.__module__], value.__name__
            if vars(home).get(name) is value:
                return vars(self.link(home))[name]
        return self._table(value) if is_table(value) else value


def own_functions(module: ModuleType) -> dict[str, FunctionType]:
    """Return the functions defined in `module`, by name."""
    found = {}
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            found[name] = value
    return found


def used_names(functions: Any) -> list[str]:
    """Return all global names and attributes that these functions mention, sorted."""
    return sorted({name for f in functions for code in codes(f.__code__) for name in code.co_names})


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and those nested in it."""
    yield code
    for constant in code.co_consts:
        if inspect.iscode(constant):
            yield from codes(constant)


def is_table(value: Any) -> bool:
    """Return whether `value` is a tuple of ints, or of such tuples."""
    if not isinstance(value, tuple) or not value:
        return False
    kinds = set(map(type, value))
    return kinds == {int} or (kinds == {tuple} and all(map(is_table, value)))


def _clone(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    clone = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    clone.__module__, clone.__qualname__ = function.__module__, function.__qualname__
    clone.__kwdefaults__ = function.__kwdefaults__
    return clone


def _foreign(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names
