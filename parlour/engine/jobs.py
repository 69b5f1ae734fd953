"""Jobs: a call of a compiled function with all its arguments, written into memory once and made many times.

Python takes some 8 microseconds to hand a loop over the lanes its dozen of arrays. A job has them as machine code
takes them, so that making it takes one number; and any thread can, without Python.
"""

# ruff: noqa: ARG001 - Numba calls what types a function with the kinds of all arguments, by their names

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.callconv import Status, excinfo_ptr_t
from numba.core.errors import TypingError
from numba.extending import intrinsic

from parlour.engine.work import Stretch

WORDS = 512  # of 8 bytes: the room of a job
WORD, CODE, BYTES = ir.IntType(64), ir.IntType(32), ir.IntType(8).as_pointer()
# The arguments of the job, the first lane, the lane after the last, the number of the thread, where its exception goes
MADE = ir.FunctionType(CODE, (BYTES, WORD, WORD, WORD, excinfo_ptr_t.as_pointer()))


@intrinsic  # type: ignore[untyped-decorator]
def bind(typing: Any, job: Any, function: Any, arguments: Any) -> Any:
    """Write into `job` (WORDS ints) a call of `function` with this tuple of arguments, one of which is a Stretch.

    Each time that the job is done, the stretch has other lanes. The job borrows the arrays: Python must keep them.
    """
    kinds = tuple(arguments.types)
    place = [i for i, kind in enumerate(kinds) if getattr(kind, "instance_class", None) is Stretch]
    if len(place) != 1:
        raise TypingError("a job has one stretch among its arguments")
    wanted = typing.resolve_function_type(function, kinds, {})

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        made = function.dispatcher.get_compile_result(wanted)
        context.active_code_library.add_linking_library(made.library)
        block = context.make_array(signature.args[0])(context, builder, values[0]).data
        given = _borrowed(context, builder, arguments, values[2])
        if 1 + context.get_abi_sizeof(given.type) // 8 > WORDS:
            raise TypingError("a job has more arguments than there is room for")
        call = _call(context, builder.module, made.fndesc, wanted, place[0])
        builder.store(builder.ptrtoint(call, WORD), block)
        room = builder.gep(block, [ir.Constant(WORD, 1)])
        builder.store(given, builder.bitcast(room, given.type.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(job, function, arguments), code


def _borrowed(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return the value with arrays that own nothing: what owns them ends with the call that binds them."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        for owner in ("meminfo", "parent"):
            setattr(array, owner, cgutils.get_null_value(getattr(array, owner).type))
        return array._getvalue()
    if hasattr(kind, "types"):
        parts = cgutils.unpack_tuple(builder, value)
        mine = [_borrowed(context, builder, *pair) for pair in zip(kind.types, parts, strict=True)]
        return context.make_tuple(builder, kind, mine)
    return value


def _call(context: Any, module: Any, descriptor: Any, wanted: Any, place: int) -> Any:
    """Return a function of the kind MADE that reads the arguments and calls the compiled one."""
    call = ir.Function(module, MADE, module.get_unique_name(f"job.{descriptor.mangled_name}"))
    call.linkage = "internal"
    builder = ir.IRBuilder(call.append_basic_block("entry"))
    block, first, last, worker, raised = call.args
    given = ir.LiteralStructType([context.get_value_type(kind) for kind in wanted.args])
    read = builder.load(builder.bitcast(block, given.as_pointer()), align=8)
    values = cgutils.unpack_tuple(builder, read)
    for field, value in enumerate((first, last, worker)):
        values[place] = builder.insert_value(values[place], value, field)
    status, _ = context.call_internal_no_propagate(builder, descriptor, wanted, values)
    with cgutils.if_unlikely(builder, status.is_error):
        builder.store(status.excinfoptr, raised)
        builder.ret(status.code)
    builder.ret(ir.Constant(CODE, 0))
    return call


@intrinsic  # type: ignore[untyped-decorator]
def do_job(_typing: Any, job: Any, first: Any, last: Any, worker: Any, error: Any) -> Any:
    """Do the job at this address with the lanes from `first` to the one before `last`, as thread number `worker`.

    Return 0, or the code of what it raised; the rest of that is then at the address `error`.
    """
    one = types.int64

    def code(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        job, first, last, worker, error = values
        call = builder.load(builder.inttoptr(job, MADE.as_pointer().as_pointer()))
        room = builder.inttoptr(builder.add(job, ir.Constant(WORD, 8)), BYTES)
        raised = builder.inttoptr(error, excinfo_ptr_t.as_pointer())
        return builder.sext(builder.call(call, (room, first, last, worker, raised)), WORD)

    return one(one, one, one, one, one), code


@intrinsic  # type: ignore[untyped-decorator]
def raise_again(_typing: Any, found: Any, error: Any) -> Any:
    """Raise what `do_job` found in any thread, in this one. `found` is its code."""

    def code(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        found = builder.trunc(values[0], CODE)
        raised = builder.load(builder.inttoptr(values[1], excinfo_ptr_t.as_pointer()))
        status = Status(found, *(None,) * 6, excinfoptr=raised)
        with builder.if_then(builder.icmp_unsigned("!=", values[0], ir.Constant(WORD, 0))):
            context.call_conv.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), code
