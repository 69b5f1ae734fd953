"""Keep the lists that a compiled function needs only while it runs on the stack, and count no references to arrays.

Rules write `[0] * N` for a few numbers that they need for a moment. Numba makes two lists of that, each in memory of
its own, and counts who uses them. That was half of the time of greedy play in two games. Where N is a
constant, such a list becomes an array on the stack instead, as long as nothing of it can leave the function.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from llvmlite.ir import ArrayType
from numba.core import cgutils, ir
from numba.core import types as numba_types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import RequireLiteralValue, TypingError
from numba.core.ir_utils import build_definitions, compute_cfg_from_blocks
from numba.core.postproc import PostProcessor
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

types: Any = numba_types  # Numba's stub leaves most of them out

MOST = 1024  # numbers in a list that is kept on the stack
LENGTHS = (operator.add, operator.sub, operator.mul, operator.floordiv)  # what a constant length may be computed with
NUMBERS = (types.Integer, types.Float, types.Boolean)
UNCOUNTED = (  # kinds of values that a function without lists has
    types.Number, types.Boolean, types.Array, types.Record, types.NoneType, types.Module, types.Callable, types.Literal,
    types.RangeType, types.RangeIteratorType, types.ArrayIterator, types.ZipType, types.SliceType, types.DType,
    types.Omitted, types.ExceptionClass, types.ExceptionInstance,
)  # fmt: skip


@intrinsic  # type: ignore[untyped-decorator]
def on_stack(_typing: Any, number: Any, length: Any) -> Any:
    """Return an array with `length` times this number. It ends with the function that calls this."""
    if not isinstance(length, types.IntegerLiteral):
        raise RequireLiteralValue("the length of a list on the stack is a constant")
    kind = types.unliteral(number)
    if not isinstance(kind, NUMBERS):
        raise TypingError("only lists of numbers are kept on the stack")
    n, made = length.literal_value, types.Array(kind, 1, "C")

    def code(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        cell = context.get_data_type(kind)
        first = builder.bitcast(cgutils.alloca_once(builder, ArrayType(cell, n)), cell.as_pointer())
        value = context.get_value_as_data(builder, kind, values[0])
        count, size = (context.get_constant(types.intp, x) for x in (n, context.get_abi_sizeof(cell)))
        with cgutils.for_range(builder, count) as loop:
            builder.store(value, builder.gep(first, [loop.index]))
        array = make_array(made)(context, builder)
        populate_array(array, data=first, shape=[count], strides=[size], itemsize=size, meminfo=None)
        return array._getvalue()

    return made(kind, length), code


@register_pass(mutates_CFG=False, analysis_only=False)
class StackLists(FunctionPass):  # type: ignore[misc]
    """Makes `on_stack(number, N)` of each `[number] * N` whose N is a constant."""

    _name = "parlour_stack_lists"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        changed = False
        for block in state.func_ir.blocks.values():
            lists = {
                one.target.name: one.value.items[0] for one in block.find_insts(ir.Assign)
                if isinstance(one.value, ir.Expr) and one.value.op == "build_list" and len(one.value.items) == 1
            }  # fmt: skip
            body = []
            for one in block.body:
                found = _repeated(state.func_ir, one, lists)
                body += _instead(block.scope, one, *found) if found else [one]
                changed = changed or found is not None
            block.body = body
        if changed:
            _leave_out(state.func_ir)
        return changed


def _repeated(function: Any, one: Any, lists: dict[str, Any]) -> tuple[Any, int] | None:
    """Return the number and the N of an assignment of `[number] * N`; None if it is another instruction."""
    value = getattr(one, "value", None)
    if not (isinstance(value, ir.Expr) and value.op == "binop" and value.fn is operator.mul):
        return None
    length = _constant(function, value.rhs) if value.lhs.name in lists else None
    return (lists[value.lhs.name], length) if length is not None and 0 < length <= MOST else None


def _constant(function: Any, variable: Any) -> int | None:
    """Return the value of a variable that is a constant whole number, else None."""
    found = _value(function, variable)
    return found if type(found) is int else None


def _value(function: Any, variable: Any) -> Any:
    made = function._definitions.get(variable.name, [])
    if len(made) != 1:
        return None
    made = made[0]
    if isinstance(made, ir.Const | ir.Global | ir.FreeVar):
        return made.value
    if isinstance(made, ir.Var):
        return _value(function, made)
    if isinstance(made, ir.Expr) and made.op == "getattr":
        home = _value(function, made.value)
        return getattr(home, made.attr, None) if isinstance(home, ModuleType) else None
    if isinstance(made, ir.Expr) and made.op == "binop" and made.fn in LENGTHS:
        left, right = _constant(function, made.lhs), _constant(function, made.rhs)
        return made.fn(left, right) if left is not None and right else None
    return None


def _instead(scope: Any, one: Any, number: Any, length: int) -> list[Any]:
    """Return the instructions that call `on_stack`."""
    function, count = scope.redefine("$on_stack", one.loc), scope.redefine("$length", one.loc)
    call = ir.Expr.call(function, (number, count), (), one.loc)
    return [
        ir.Assign(ir.Global("on_stack", on_stack, one.loc), function, one.loc),
        ir.Assign(ir.Const(length, one.loc), count, one.loc),
        ir.Assign(call, one.target, one.loc),
    ]


def _leave_out(function: Any) -> None:
    """Leave out lists that are no longer used, and say anew what is defined where, and for how long."""
    used = set()
    for block in function.blocks.values():
        for one in block.body:
            if not isinstance(one, ir.Del):
                mine = one.target.name if isinstance(one, ir.Assign) else ""
                used |= {variable.name for variable in one.list_vars() if variable.name != mine}
    for block in function.blocks.values():
        block.body = [
            one for one in block.body
            if not (
                isinstance(one, ir.Assign) and isinstance(one.value, ir.Expr) and one.value.op == "build_list"
                and one.target.name not in used
            ) and not isinstance(one, ir.Del)
        ]  # fmt: skip
    function._definitions = build_definitions(function.blocks)
    PostProcessor(function).run()


@register_pass(mutates_CFG=False, analysis_only=False)
class Uncounted(FunctionPass):  # type: ignore[misc]
    """Counts no references in a function that has no lists and returns numbers: callers own all that it uses.

    Raises TypingError if something on the stack could be returned, or be used when a loop's next turn has made it anew,
    or is used in a way that means something else for lists than for arrays (`one + two`, a slice).
    """

    _name = "parlour_uncounted"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        returns_numbers = _only(state.return_type, (*NUMBERS, types.NoneType))
        exprs = [one for block in state.func_ir.blocks.values() for one in block.find_exprs()]
        short = returns_numbers and not _outlives_a_turn(state.func_ir, state.typemap)
        if _made(state.func_ir.blocks.values()) and not (short and all(_alike(one, state.typemap) for one in exprs)):
            state.return_type = None  # the second list of passes finds it again
            raise TypingError("this list cannot be on the stack")
        if returns_numbers and state.flags.no_cpython_wrapper:
            state.targetctx.enable_nrt = not all(_only(kind, UNCOUNTED) for kind in state.typemap.values())
        return False


def _made(blocks: Iterable[Any]) -> set[str]:
    """Return the variables of these blocks that are made on the stack there."""
    assigns = [one for block in blocks for one in block.find_insts(ir.Assign)]
    makers = {one.target.name for one in assigns if isinstance(one.value, ir.Global) and one.value.value is on_stack}
    return {
        one.target.name for one in assigns
        if isinstance(one.value, ir.Expr) and one.value.op == "call" and one.value.func.name in makers
    }  # fmt: skip


def _outlives_a_turn(function: Any, typemap: dict[str, Any]) -> bool:
    """Return whether something that is made on the stack in a loop may be used after the loop's next turn began, which
    makes it anew in the same place. Then several definitions of a variable meet (a phi), or it is put into a list."""
    loops = compute_cfg_from_blocks(function.blocks).loops().values()
    inside = {label for loop in loops for label in loop.body}
    held = _made(function.blocks[label] for label in inside)
    instructions = [one for block in function.blocks.values() for one in block.body]
    before = 0
    while len(held) > before:  # whatever is made of it and is not a number holds it too
        before = len(held)
        for one in instructions:
            if held.isdisjoint(variable.name for variable in one.list_vars()):
                continue
            if _keeps(one, held, typemap):
                return True
            if isinstance(one, ir.Assign) and not _only(typemap[one.target.name], (*NUMBERS, types.NoneType)):
                held.add(one.target.name)
    return False


def _keeps(one: Any, held: set[str], typemap: dict[str, Any]) -> bool:
    """Return whether an instruction that uses what is held may keep it beyond a turn."""
    if isinstance(one, ir.SetItem | ir.StaticSetItem | ir.SetAttr):
        return one.value.name in held
    value = getattr(one, "value", None)
    if not isinstance(value, ir.Expr):
        return False
    if value.op == "phi":
        return not _only(typemap[one.target.name], NUMBERS)
    return value.op == "call" and isinstance(typemap[value.func.name], types.BoundFunction)  # such as append


def _alike(one: Any, typemap: dict[str, Any]) -> bool:
    """Return whether an expression means the same for a list and an array, as far as it is used on one."""

    def mine(variable: Any) -> bool:
        kind = typemap.get(variable.name)
        return isinstance(kind, types.Array) and kind.mutable

    if one.op in ("binop", "inplace_binop"):
        return not mine(one.lhs) and not mine(one.rhs)
    if one.op == "unary":
        return not mine(one.value)
    if one.op == "getitem":
        return not mine(one.value) or isinstance(typemap[one.index.name], types.Integer)
    if one.op == "static_getitem":
        return not mine(one.value) or isinstance(one.index, int)
    if one.op == "call" and getattr(typemap[one.func.name], "typing_key", None) is bool:
        return not any(map(mine, one.args))
    return True


def _only(kind: Any, kinds: tuple[Any, ...]) -> bool:
    """Return whether a type is of one of these kinds, or a tuple of such."""
    if isinstance(kind, types.BaseTuple):
        return all(_only(part, kinds) for part in kind.types)
    if isinstance(kind, types.Pair):  # what an iterator gives
        return _only(kind.first_type, kinds) and _only(kind.second_type, kinds)
    return isinstance(kind, kinds)


@register_pass(mutates_CFG=False, analysis_only=False)
class Counted(FunctionPass):  # type: ignore[misc]
    """Counts references, as Numba does, and forgets why the first list of passes did not work."""

    _name = "parlour_counted"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.targetctx.enable_nrt = True
        state.status.fail_reason = None
        return False
