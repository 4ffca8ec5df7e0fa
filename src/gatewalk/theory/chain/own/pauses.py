"""A user's function made to pause: at some places all that the rest of its run depends on has a name.

A function that draws in a loop may draw for ever, so its runs cannot simply be listed. But between two
statements the rest of a run depends only on the place in the code, the variables that are still read, and the
program. `with_pauses` makes of a function one that says so at the head of every turn of a loop, and after
each statement that leaves no more to know than there was. Python hides one thing there, how far a `for` has
come; hence `for` becomes `while` over what is left:

    for gene in range(3):               left = range(3)
        BODY                            while left:
                                            pause(1, {"left": left, ...})
                                            gene, left = left[0], left[1:]
                                            BODY

The functions that it calls are treated likewise. What is known in one does not include what its caller
knows; `called` and `returned` tell when a call begins and ends. All this is done on syntax trees, whose few
kinds of statements `native.frozen` checks, and so it is the same in every version of Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import wraps
from itertools import count
from typing import Protocol

from gatewalk.errors import InputError
from gatewalk.native.frozen import Frozen

Names = frozenset[str]

_PAUSE, _VARIABLES, _ITEMS, _LEFT = ".pause", ".variables", ".items", ".left"  # users cannot write such names


class NotFollowed(InputError):
    """A function does something of which exact times cannot say what it leads to."""


class Watch(Protocol):
    """What is told of a run."""

    def pause(self, place: int, live: Mapping[str, object]) -> None:
        """The run is at this place; live: the variables that are still read, by name."""
        ...

    def called(self) -> None:
        """A function begins."""
        ...

    def returned(self) -> None:
        """The function that was called last ends."""
        ...


def with_pauses(function: Frozen, watch: Watch) -> Callable[..., object]:
    """The same function, and all that it calls, but `watch` is told of its calls and pauses."""

    def pause(place: int, names: tuple[str, ...], variables: Mapping[str, object]) -> None:
        watch.pause(place, {name: variables[name] for name in names if name in variables})

    def part(plain: Callable[..., object]) -> Callable[..., object]:
        @wraps(plain)
        def told(*arguments: object) -> object:
            watch.called()
            try:
                return plain(*arguments)
            finally:
                watch.returned()

        return told

    told: Callable[..., object] = _rewritten(function, pause, count(1)).compiled(part)
    return told


class _Pause(ast.Expr):
    """A call of `pause`. live: the variables that are still read; is_kept: whether to pause there."""

    live = Names()
    is_kept = True


def _rewritten(function: Frozen, pause: Callable[..., None], places: Iterator[int]) -> Frozen:
    """The function with its pauses, numbered by `places`."""
    tree = deepcopy(function.tree)
    tree.body = _paused(tree.body, places)
    _live(tree.body, Names(), Names(), Names())
    for node in ast.walk(tree):
        for part in ("body", "orelse"):
            block = getattr(node, part, None)
            if isinstance(block, list):
                block[:] = [one for one in block if not isinstance(one, _Pause) or one.is_kept]
    for node in ast.walk(tree):
        if isinstance(node, _Pause):
            names = ast.Tuple([ast.Constant(name) for name in sorted(node.live)], ast.Load())
            variables = ast.Call(_read(_VARIABLES), [], [])
            node.value = ast.Call(_read(_PAUSE), [ast.Constant(next(places)), names, variables], [])
    scope = {
        name: _rewritten(value, pause, places) if isinstance(value, Frozen) else value
        for name, value in function.scope.items()
    }
    scope |= {_PAUSE: pause, _VARIABLES: locals, _ITEMS: _items}
    return replace(function, tree=ast.fix_missing_locations(tree), scope=scope)


def _items(values: object) -> object:
    """What a `for` goes through, which must be something that can be cut."""
    if not isinstance(values, (range, tuple)):
        raise NotFollowed(f"exact times need loops over a range or a tuple, not {type(values).__name__}")
    return values


def _paused(block: list[ast.stmt], places: Iterator[int]) -> list[ast.stmt]:
    """A block with a pause wherever there may be one."""
    result: list[ast.stmt] = []
    for statement in block:
        if result and any(isinstance(node, ast.Call) for node in ast.walk(result[-1])):
            result.append(_Pause(ast.Constant(None)))
        if isinstance(statement, ast.If | ast.While | ast.For):
            statement.body = _paused(statement.body, places)
            statement.orelse = _paused(statement.orelse, places)
        if isinstance(statement, ast.While):
            statement.body.insert(0, _Pause(ast.Constant(None)))
        result += _while(statement, next(places)) if isinstance(statement, ast.For) else [statement]
    return result


def _while(loop: ast.For, number: int) -> list[ast.stmt]:
    """A loop over what is left."""
    left = f"{_LEFT}{number}"
    begin = ast.Assign([_write(left)], ast.Call(_read(_ITEMS), [loop.iter], []))
    first = ast.Subscript(_read(left), ast.Constant(0), ast.Load())
    rest = ast.Subscript(_read(left), ast.Slice(ast.Constant(1)), ast.Load())
    go_on = [ast.Assign([loop.target], first), ast.Assign([_write(left)], rest)]
    turns = ast.While(_read(left), [_Pause(ast.Constant(None)), *go_on, *loop.body], loop.orelse)
    return [ast.copy_location(new, loop) for new in (begin, turns)]


def _read(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _write(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _live(block: list[ast.stmt], after: Names, at_break: Names, at_next: Names) -> Names:
    """The variables that are read from here on before they are assigned; pauses get theirs.

    after, at_break, at_next: what is read after the block, after the loop, and in its next turn. A name too
    many does no harm: it only keeps states apart.
    """
    live = after
    for statement in reversed(block):
        match statement:
            case _Pause():
                statement.live = live
            case ast.Return():
                live = _names_read(statement)
            case ast.Break():
                live = at_break
            case ast.Continue():
                live = at_next
            case ast.If():
                parts = (statement.body, statement.orelse)
                either = [_live(part, live, at_break, at_next) for part in parts]
                live = _names_read(statement.test).union(*either)
            case ast.While():
                after_loop = live
                live = _names_read(statement.test) | _live(statement.orelse, after_loop, at_break, at_next)
                while not (in_turn := _live(statement.body, live, after_loop, live)) <= live:
                    live |= in_turn
            case ast.Assign():
                live = live.difference(*map(_names_assigned, statement.targets)) | _names_read(statement)
            case _:
                live |= _names_read(statement)
    for statement in block[1:]:
        if isinstance(statement, _Pause):
            statement.is_kept = statement.live <= live
    return live


def _names_read(node: ast.AST) -> Names:
    """The names that are read anywhere in it; what += changes is needed only if it is read later."""
    names = [name for name in ast.walk(node) if isinstance(name, ast.Name)]
    return Names(name.id for name in names if isinstance(name.ctx, ast.Load))


def _names_assigned(target: ast.expr) -> Names:
    """The variables that an assignment certainly gives a new value."""
    if isinstance(target, ast.Tuple):
        return Names().union(*map(_names_assigned, target.elts))
    return Names({target.id}) if isinstance(target, ast.Name) else Names()
