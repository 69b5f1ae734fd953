"""Results as data frames of Polars or pandas, which are imported only when a frame is asked for.

docs/data.md lists the columns of each result.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from parlour.core.errors import ParlourError, UnknownName

if TYPE_CHECKING:
    import pandas
    import polars

Column: TypeAlias = Sequence[object] | NDArray[np.generic]  # a value for each row; of two dimensions: a list for each
Columns: TypeAlias = Mapping[str, Column]

INSTALL = {"polars": "pip install 'parlour[data]'", "pandas": "pip install pandas"}  # library -> what installs it


class NoLibrary(ParlourError):
    """A library of data frames is not installed."""

    code = "no-library"


class Framed(ABC):
    """A result that is rows of named columns."""

    @abstractmethod
    def columns(self) -> Columns:
        """Return its columns by name."""

    @overload
    def to_frame(self, library: Literal["polars"] = "polars") -> polars.DataFrame: ...
    @overload
    def to_frame(self, library: Literal["pandas"]) -> pandas.DataFrame: ...
    def to_frame(self, library: str = "polars") -> object:
        """Return it as a data frame of "polars" or "pandas". Raises UnknownName (another library), NoLibrary (not
        installed)."""
        loaded = load(library)
        return loaded.DataFrame({
            name: column.tolist() if isinstance(column, np.ndarray) and column.ndim > 1 else column
            for name, column in self.columns().items()
        }, **({"strict": False, "infer_schema_length": None} if library == "polars" else {}))  # fmt: skip


def load(library: str) -> ModuleType:
    """Import a library of data frames. Raises as `Framed.to_frame` does."""
    if library not in INSTALL:
        raise UnknownName(f"Frames are of polars or pandas, not {library!r}.", allowed=INSTALL)
    try:
        return import_module(library)
    except ModuleNotFoundError as error:
        if error.name != library:
            raise
        raise NoLibrary(f"This needs {library}, which is not installed; {INSTALL[library]} installs it.") from None
