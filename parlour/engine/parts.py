"""Compile what only compiled functions call as a part of these, without machine code of its own.

Numba optimises each function and makes its machine code, even where it is only ever linked into others. Python calls a
dozen of a game's hundred functions, so that was most of the work. A part is lowered to LLVM's language, and optimised
in each function that it becomes a part of.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering, NopythonTypeInference

from parlour.engine.buffers import Counted, StackLists, Uncounted

ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of functions' environments begin


class _Elsewhere:
    """Stands for the code generator: a part's environment is set where the part is built in."""

    def set_env(self, name: str, environment: Any) -> None:
        """Set nothing."""


class Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of a part."""

    @property
    def codegen(self) -> Any:
        return _Elsewhere()

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """Return 0: there is no machine code."""
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """Return the part as it is stored: in LLVM's language."""
        name, _, code = self.serialize_using_bitcode()
        return name, Part.__name__, code

    @classmethod
    def read(cls, codegen: Any, stored: tuple[str, str, bytes]) -> Part:
        """Return a part that was stored."""
        name, _, code = stored
        part = cls(codegen, name)
        part._final_module = binding.parse_bitcode(code)
        part._finalize_final_module()
        return part


class Outlined(Part):
    """The code of a part that stays a function of its own where it is built in: optimised once, here."""

    def _optimize_final_module(self) -> None:
        JITCodeLibrary._optimize_final_module(self)


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(NativeLowering):  # type: ignore[misc]
    _name = "parlour_lower_part"
    LIBRARY = Part

    def run_pass(self, state: Any) -> bool:
        state.library = self.LIBRARY(state.targetctx.codegen(), state.func_id.func_qualname)
        return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerOutlined(_LowerPart):
    _name = "parlour_lower_outlined"
    LIBRARY = Outlined


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerWhole(NativeLowering):  # type: ignore[misc]
    _name = "parlour_lower_whole"

    def run_pass(self, state: Any) -> bool:
        done = bool(super().run_pass(state))
        codegen = state.targetctx.codegen()
        for one in state.library._final_module.global_variables:
            # Those of its parts; when it comes from the cache, Numba does the same.
            environment = lookup_environment(one.name) if one.name.startswith(ENVIRONMENT) else None
            if environment is not None and codegen._engine.get_global_value_address(one.name):
                codegen.set_env(one.name, environment)
        return done


class _Compiler(CompilerBase):  # type: ignore[misc]
    """Numba's usual passes, but for the one that makes the code, and those of `buffers`."""

    LOWER: type[NativeLowering]

    def define_pipelines(self) -> list[Any]:
        """Return two lists of passes. Numba goes by the second, its usual one, if the first raises an error."""
        return [self._passes([StackLists], [Uncounted]), self._passes([], [Counted])]

    def _passes(self, before: list[Any], after: list[Any]) -> Any:
        """Return Numba's usual passes, with these before and after types are found."""
        made = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes = []
        for one in made.passes:
            if one[0] is NopythonTypeInference:
                passes += [(extra, extra._name) for extra in before] + [one] + [(extra, extra._name) for extra in after]
            else:
                passes.append((self.LOWER, one[1]) if one[0] is NativeLowering else one)
        made.passes = passes
        made._finalized = False
        made.finalize()
        return made


class PartCompiler(_Compiler):
    """Compiles what becomes a part of other functions."""

    LOWER = _LowerPart


class OutlineCompiler(_Compiler):
    """Compiles what becomes a part of other functions, and is not copied to where it is called."""

    LOWER = _LowerOutlined


class WholeCompiler(_Compiler):
    """Compiles what Python calls."""

    LOWER = _LowerWhole
