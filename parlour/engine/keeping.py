"""Where Numba keeps the machine code of one folder of the cache (`parlour.engine.cache`).

Numba's own choice is by the place of the source file, so that a second checkout, or an installation
that was moved, would compile the same rules again. The folder's name says already which code it is
for, whatever its place. A file that is damaged counts as missing (`cache.load`), and what cannot be
stored is compiled again next time.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.compiler import compile_result
from numba.core.serialize import dumps

from parlour.engine import cache
from parlour.engine.parts import Part


class Sealed(IndexDataCacheFile):  # type: ignore[misc]
    """The files of one function: an index, and the code for each signature in it.

    Numba gives the codes numbers and writes the index first. If the index was lost, or the code could not be written
    after it, a number may be that of the code for another signature. So each code has its key beside it.
    """

    def save(self, key: Any, data: Any) -> None:
        """Store the code for a key, which has the signature in it."""
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        """Return the code for a key, None if it is not there."""
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def _load_index(self) -> dict[Any, str]:
        data = cache.load(Path(self._index_path))
        return dict(pickle.loads(data)) if data is not None else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        cache.store(Path(self._index_path), dumps(overloads))

    def _load_data(self, name: str) -> Any:
        data = cache.load(Path(self._data_path(name)))
        if data is None:
            raise FileNotFoundError(name)  # to Numba it is not there
        return pickle.loads(data)

    def _save_data(self, name: str, data: Any) -> None:
        cache.store(Path(self._data_path(name)), dumps(data))


def cache_in(folder: Path) -> Callable[[Any], Any]:
    """Return what makes the cache of a function: its machine code is kept in `folder`, under the name of its module
    and its first line."""

    class Place(_CacheLocator):  # type: ignore[misc]
        def __init__(self, function: Any, file: str) -> None:
            self._function, self._py_file = function, file  # the latter is named in Numba's warnings

        @classmethod
        def from_function(cls, function: Any, file: str) -> Place:
            return cls(function, file)

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return folder.name

        def get_disambiguator(self) -> str:
            return f"{self._function.__module__}-{self._function.__code__.co_firstlineno}"

    class Kept(CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (Place,)

        def rebuild(self, target: Any, stored: Any) -> Any:
            """Return the result of compiling that was stored. A part has no machine code to load."""
            if stored[0][1] != Part.__name__:
                return super().rebuild(target, stored)
            code, descriptor, environment, signature, *_, reloads, environments = stored
            library = Part.read(target.codegen(), code)
            return compile_result(
                target_context=target, typing_context=target.typing_context, library=library, environment=environment,
                entry_point=target.get_executable(library, descriptor, environment), fndesc=descriptor,
                signature=signature, objectmode=False, lifted=(), reload_init=reloads, referenced_envs=environments,
            )  # fmt: skip

    class Keeping(FunctionCache):  # type: ignore[misc]
        _impl_class = Kept

        def __init__(self, function: Any) -> None:
            super().__init__(function)
            self._cache_file = Sealed(str(folder), self._impl.filename_base, folder.name)

    return Keeping
