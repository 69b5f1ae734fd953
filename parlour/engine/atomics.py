"""Words of memory that several threads read and write, by their address. Compiled only.

Each write is seen whole, and what a thread wrote before it is seen by a thread that has read it (release and acquire).
"""

# ruff: noqa: ARG001 - Numba calls what types a function with the kinds of all arguments, by their names

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

WORD = ir.IntType(64)
ALIGN = 8  # bytes; NumPy's arrays of int64 begin at a multiple of it
PAUSES = {
    "x86_64": ("llvm.x86.sse2.pause", ()),
    "aarch64": ("llvm.aarch64.hint", (1,)),
    "arm64": ("llvm.aarch64.hint", (1,)),
}


@intrinsic  # type: ignore[untyped-decorator]
def load(_context: Any, address: Any) -> Any:
    """Return the word at this address."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_pointer(builder, arguments[0]), "acquire", ALIGN)

    return types.int64(types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def store(_context: Any, address: Any, value: Any) -> Any:
    """Set the word at this address."""

    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.store_atomic(arguments[1], _pointer(builder, arguments[0]), "release", ALIGN)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def add(_context: Any, address: Any, more: Any) -> Any:
    """Add to the word at this address; return what it was before."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.atomic_rmw("add", _pointer(builder, arguments[0]), arguments[1], "acq_rel")

    return types.int64(types.int64, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def swap(_context: Any, address: Any, old: Any, new: Any) -> Any:
    """Set the word at this address to `new` if it is `old`, as one act; return whether it was."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        place, old, new = arguments
        return builder.extract_value(builder.cmpxchg(_pointer(builder, place), old, new, "acq_rel", "acquire"), 1)

    return types.boolean(types.int64, types.int64, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def pause(_context: Any) -> Any:
    """Let the processor rest some tens of cycles, where it knows how to."""

    def code(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        processor = context.codegen()._tm.triple.partition("-")[0]
        if processor in PAUSES:
            name, numbers = PAUSES[processor]
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(32)] * len(numbers))
            builder.call(
                cgutils.get_or_insert_function(builder.module, kind, name),
                [ir.Constant(ir.IntType(32), number) for number in numbers],
            )
        return context.get_dummy_value()

    return types.void(), code


@intrinsic  # type: ignore[untyped-decorator]
def give_way(_context: Any, address: Any) -> Any:
    """Call the function without parameters at this address, which lets other threads run; 0 does nothing."""

    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), ()).as_pointer()
        with builder.if_then(builder.icmp_unsigned("!=", arguments[0], ir.Constant(WORD, 0))):
            builder.call(builder.inttoptr(arguments[0], kind), ())
        return context.get_dummy_value()

    return types.void(types.int64), code


def _pointer(builder: Any, address: Any) -> Any:
    return builder.inttoptr(address, WORD.as_pointer())
