"""The compiled engine: Numba compiles copies of the rules' functions, and states are packed."""

from __future__ import annotations

import functools
import itertools
import os
import re
import secrets
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import config
from numba.core.bytecode import FunctionIdentity
from numba.core.errors import NumbaError

from parlour.core.errors import CompilerOff
from parlour.core.game import Game
from parlour.core.loading import file_in
from parlour.core.struct import copiers, layout
from parlour.engine import cache, copying, guarded, interpreted, jobs, keeping, link, packing, parts

FORMAT = 15  # increase when the way of compiling below changes
KEYWORD_ONLY = re.compile(r"Cannot bind .* to signature '\(.*\*, ")  # Numba's words
LOOKED = "looked"  # files in the folder of rules that have passed `guarded.look`, one for each set of data
REMEMBERED = 40  # compiled games of a process: an author changes the same game again and again

_made: dict[str, CompiledEngine] = {}
_lock = threading.Lock()


def _number_apart() -> None:
    """Let Numba number functions from a number of this process alone.

    Machine code names a function by its name, its types and this number, which otherwise begins with 1. Two processes
    could so give the same name to functions of two games, and LLVM would run the first of them for both in a third
    process that loads them from the cache.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


_number_apart()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_number_apart)


@dataclass(frozen=True)
class CompiledEngine(interpreted.Engine):
    """See `Engine`. `folder` holds the machine code; None if it cannot be stored."""

    compiled: bool = True
    folder: Path | None = None

    def states(self, template: Any, n: int) -> Any:
        made = np.zeros(n, packing.dtype(self.game.rules.State))
        if n:
            packing.pack(template, made[0])
            made[1:] = made[0]
        return made

    def integers(self, *shape: int) -> Any:
        return np.zeros(shape, np.int64)

    def reals(self, *shape: int, fill: float = 0.0) -> Any:
        return np.full(shape, fill, np.float64)

    def table(self, numbers: Any, bits: int) -> Any:
        return np.ascontiguousarray(numbers, f"i{bits // 8}")

    def plain(self, state: Any) -> Any:
        return packing.unpack(self.game.rules.State, state)


def require_compiler() -> None:
    """Raise CompilerOff if the environment forbids compiling."""
    if config.DISABLE_JIT:
        raise CompilerOff("NUMBA_DISABLE_JIT is set, so the rules cannot be compiled. Unset it and try again.")


def compile(game: Game, checked: bool = False) -> CompiledEngine:
    """Return the engine whose functions are machine code, compiled on first call or from the cache.

    Returns the same object as long as the rules in memory stay the same; of many, it remembers the
    last forty. With `checked`, an index out of range is an IndexError, as in plain Python; this is
    slower. Raises `guarded.Unplayable`, with the line of the game at fault, if rules that have not
    been compiled before do what compiled rules cannot. A function of the engine raises it when
    first called, if something does not compile. Raises CompilerOff under NUMBA_DISABLE_JIT.
    """
    require_compiler()
    with _lock:
        plain = link.Linker(lambda f: f, lambda t: t)
        interpreted.bind(game, plain, copiers(game.rules.State).assign)
        reached = [interpreted.original(name) for name in plain.copies]
        bounds = config.BOUNDSCHECK or checked
        mark = cache.fingerprint(reached, FORMAT, layout(game.rules.State), bounds, config.OPT, game)
        if mark not in _made:
            folder = cache.folder(game.name, mark)
            data = cache.fingerprint((), game.facts, [edition.parts for edition in game.editions.values()])
            looked = folder and folder / f"{LOOKED}-{data}"  # the same code may go wrong with more players or parts
            if looked is None or not looked.exists():
                guarded.look(game)
            if looked is not None:
                cache.note(looked)
            _made[mark] = _compile(game, folder, checked)
            if len(_made) > REMEMBERED:
                del _made[next(iter(_made))]
        _made[mark] = _made.pop(mark)  # the last used is the last to go
        return _made[mark]


def _compile(game: Game, folder: Path | None, checked: bool) -> CompiledEngine:
    bounds = {"boundscheck": True} if checked else {}  # else the environment decides
    njit = functools.partial(numba.njit, nogil=True, no_cfunc_wrapper=True, **bounds)

    loops = {module.__name__ for module in interpreted.LOOPS}

    def kept(function: Any) -> Any:
        home = sys.modules[function.__module__]
        inner = function.__name__ not in getattr(home, "ENTRIES", ())
        apart = function.__name__ in getattr(home, "OUTLINE", ())
        compiler = parts.WholeCompiler if not inner else parts.OutlineCompiler if apart else parts.PartCompiler
        options = {
            "no_cpython_wrapper": inner, "forceinline": inner and not apart and home.__name__ not in loops,
            "pipeline_class": compiler,
        }  # fmt: skip
        made = _one_version(njit(function, **options))
        if folder is not None:
            made._cache = keeping.cache_in(folder)(function)
        return made if inner else _once(made, game, folder)

    assign = njit(copying.assign)  # kept with its callers
    bound = interpreted.bind(game, link.Linker(kept, _array), assign, jobs.bind)
    return CompiledEngine(game, *bound, folder=folder)


def _one_version(function: Any) -> Any:
    """Keep Numba from compiling a function again for each constant argument.

    LLVM handles constants better.
    """
    general = function.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = {name: numba.types.unliteral(kind) for name, kind in dict(kws).items()}
        return general(tuple(numba.types.unliteral(kind) for kind in args), plain)

    function.get_call_template = get_call_template
    return function


def _once(function: Any, game: Game, folder: Path | None) -> Any:
    """Let one process alone compile this, and turn a compiler error into Unplayable, which says in a sentence
    what does not compile."""
    compile_for = function._compile_for_args  # Numba calls this when it lacks machine code

    def once(*args: Any, **kws: Any) -> Any:
        try:
            with cache.alone(folder):
                return compile_for(*args, **kws)
        except NumbaError as error:
            raise guarded.Unplayable(game, _not_compiled(error, game)) from error

    function._compile_for_args = once
    return function


def _not_compiled(error: Exception, game: Game) -> str:
    """Return the compiler's long message as a sentence, with the line that it complains about."""
    text = str(error)
    found = [(file_in(game, file), line) for file, line in re.findall(r'File "([^"]+)", line (\d+)', text)]
    places = [f"{file}, line {line}: " for file, line in found if file]
    lines = [line.strip() for line in text.splitlines() if line.strip() and "pipeline (step:" not in line]
    words = lines[0].rstrip(".") if lines else type(error).__name__
    if KEYWORD_ONLY.search(text):
        return f"{places[-1] if places else ''}keyword-only parameters do not compile. Drop the * before them."
    return f"{places[-1] if places else ''}this does not compile: {words}."


def _array(table: Any) -> Any:
    """Return a constant table as an array of the smallest fitting ints, a ragged one as tuples."""
    try:
        array = np.array(table)
    except ValueError:
        return table
    low, high = int(array.min()), int(array.max())
    for kind in (np.int8, np.int16, np.int32, np.int64):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return array.astype(kind)
    raise OverflowError(f"a table holds {high if high > 0 else low}, which does not fit in 64 bits")
