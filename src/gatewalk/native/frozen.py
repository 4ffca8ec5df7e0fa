"""Functions that users write, frozen: what they compute is fixed when they are registered, and has a digest.

Such a function is merged into kernels, and interpreted by the reference implementation; both must compute the
same, today and when a saved run is continued. So it may use only what both have: numbers, other functions of
this kind, `math`, and the methods of what it is given. Everything else is refused in one line with its line
number. The function is compiled anew from its text, with the values that its names have now, so that a later
change of a global variable, or of the file, changes nothing.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import math
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np

from gatewalk.errors import InputError, shown

DIGEST = re.compile("[0-9a-f]{16}")
_BUILTINS = ("abs", "bool", "float", "int", "max", "min", "range", "round")
_MOST_DEPTH = 20  # of functions that call functions
_LARGEST = 2**63 - 1

# The syntax that is compiled, and a word for what is not.
_STATEMENTS = (
    *(ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign),
    *(ast.For, ast.While, ast.If, ast.Expr, ast.Pass, ast.Break, ast.Continue),
)
_EXPRESSIONS = (
    *(ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call, ast.Constant, ast.Attribute),
    *(ast.Name, ast.Tuple, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop),
)
_WORDS = {
    ast.List: "a list",
    ast.ListComp: "a list comprehension",
    ast.GeneratorExp: "a generator",
    ast.SetComp: "a set",
    ast.Set: "a set",
    ast.Dict: "a dictionary",
    ast.DictComp: "a dictionary",
    ast.JoinedStr: "a text",
    ast.Lambda: "a lambda",
    ast.Subscript: "an index in brackets",
    ast.Import: "an import",
    ast.ImportFrom: "an import",
    ast.Global: "a global statement",
    ast.Nonlocal: "a nonlocal statement",
    ast.Try: "a try statement",
    ast.With: "a with statement",
    ast.Raise: "a raise statement",
    ast.Assert: "an assert statement",
    ast.Yield: "a yield",
    ast.YieldFrom: "a yield",
    ast.NamedExpr: "an assignment inside an expression",
    ast.ClassDef: "a class",
    ast.AsyncFunctionDef: "an async function",
    ast.Delete: "a del statement",
    ast.Starred: "a starred argument",
    ast.Match: "a match statement",
    ast.MatMult: "the operator @",
    ast.In: "the operator in",
    ast.NotIn: "the operator in",
    ast.Is: "the operator is",
    ast.IsNot: "the operator is",
}


@dataclass(frozen=True, eq=False)
class Frozen:
    """A function that a user wrote, as it was when it was registered.

    wrapped: the function as it was written. function: the frozen one, to be called from Python.
    source: its text, with that of the functions that it calls. digest: a hash of all that it computes.
    place: the name of its file. tree, scope: its syntax, and what the names in it stand for.
    """

    name: str
    wrapped: FunctionType = field(repr=False)
    function: Callable[..., Any] = field(repr=False)
    source: str = field(repr=False)
    digest: str
    place: str
    tree: ast.FunctionDef = field(repr=False)
    scope: dict[str, Any] = field(repr=False)

    def compiled(self, part: Callable[[Any], Any]) -> Any:
        """The function as a part of kernels; functions that it calls become parts, too."""
        scope = {
            name: value.compiled(part) if isinstance(value, Frozen) else value
            for name, value in self.scope.items()
        }
        return part(_made(self.tree, scope, self.place))


def frozen(function: object, *, methods: frozenset[str], parameters: tuple[str, ...] = ()) -> Frozen:
    """Freeze a function; raises `InputError` for what cannot be compiled.

    methods: the attributes that its arguments have. parameters: what it is given, for messages; if there are
    any, it must take as many.
    """
    if not isinstance(function, FunctionType):
        raise InputError(f"{shown(function)} is no function; write `def` and decorate it")
    made = _frozen(function, methods, _MOST_DEPTH)
    if parameters and len(made.tree.args.args) != len(parameters):
        raise InputError(f"{_at(made.place, made.tree)}: it must take {', '.join(parameters)}")
    return made


def _frozen(function: FunctionType, methods: frozenset[str], depth: int) -> Frozen:
    tree, source, place = _tree_of(function)
    if depth == 0:
        raise InputError(f"{_at(place, tree)}: functions that call themselves cannot be compiled")
    _check(tree, place, methods)
    scope: dict[str, Any] = {}
    described = [ast.unparse(_bare(tree))]
    for node in _names(tree):
        if node.id not in scope and (value := _value(function, node, place, methods, depth)) is not None:
            scope[node.id] = value
            described.append(f"{node.id}: {_text(value)}")
    digest = hashlib.blake2b("\n".join([described[0], *sorted(described[1:])]).encode(), digest_size=8)
    helpers = [value for value in scope.values() if isinstance(value, Frozen)]
    runnable = {name: value.function if isinstance(value, Frozen) else value for name, value in scope.items()}
    return Frozen(
        name=function.__name__,
        wrapped=function,
        function=_made(tree, runnable, place),
        source="\n\n".join(dict.fromkeys([*(helper.source for helper in helpers), source])),
        digest=digest.hexdigest(),
        place=place,
        tree=tree,
        scope=scope,
    )


def _text(value: Any) -> str:
    """What a name stands for, as the digest knows it."""
    if isinstance(value, Frozen):
        return value.digest
    return "math" if value is math else repr(value)


def _tree_of(function: FunctionType) -> tuple[ast.FunctionDef, str, str]:
    """The syntax of a function, its text, and the name of its file."""
    name = function.__name__
    place = function.__code__.co_filename
    try:
        lines, first = inspect.getsourcelines(function)
        source = textwrap.dedent("".join(lines))
        body = ast.parse(source).body
    except (OSError, SyntaxError, TypeError):
        raise InputError(
            f"the source of {name} cannot be read; define it with `def` in a file or in a cell of a notebook"
        ) from None
    if len(body) != 1 or not isinstance(body[0], ast.FunctionDef):
        raise InputError(f"{name} must be defined with `def` to be compiled")
    tree = ast.increment_lineno(body[0], first - 1)
    assert isinstance(tree, ast.FunctionDef)
    tree.decorator_list, tree.returns = [], None
    for argument in tree.args.args:
        argument.annotation = None  # its names need not exist
    return tree, source, place


def _bare(tree: ast.FunctionDef) -> ast.FunctionDef:
    """The function without its name and its docstring, which change nothing that it computes."""
    again = ast.parse(ast.unparse(tree)).body[0]
    assert isinstance(again, ast.FunctionDef)
    again.name = "function"
    if ast.get_docstring(again, clean=False) is not None:
        again.body = again.body[1:] or [ast.Pass()]
    return again


def _made(tree: ast.FunctionDef, scope: dict[str, Any], place: str) -> Any:
    names = {**scope, "__builtins__": {name: getattr(builtins, name) for name in _BUILTINS}}
    names["__name__"] = __name__
    exec(compile(ast.Module([tree], []), place, "exec", dont_inherit=True), names)
    return names[tree.name]


def _check(tree: ast.FunctionDef, place: str, methods: frozenset[str]) -> None:
    """Raise `InputError` for syntax that cannot be compiled."""
    arguments = tree.args
    is_plain = not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults)
    if not is_plain or arguments.posonlyargs:
        raise InputError(f"{_at(place, tree)}: it must take plain arguments, without defaults or stars")
    docstring = tree.body[0].value if ast.get_docstring(tree, clean=False) is not None else None  # type: ignore[attr-defined]
    given = {argument.arg for argument in arguments.args}
    for node in _walk(tree):
        if node is docstring or node is tree:
            continue
        if not isinstance(node, _STATEMENTS + _EXPRESSIONS) or type(node) in _WORDS:
            word = _WORDS.get(type(node), f"this ({type(node).__name__})")
            raise InputError(f"{_at(place, node, tree)}: {word} cannot be compiled")
        if isinstance(node, ast.FunctionDef):
            raise InputError(f"{_at(place, node)}: a function inside a function cannot be compiled")
        if isinstance(node, ast.Constant) and not isinstance(node.value, (bool, int, float, type(None))):
            raise InputError(f"{_at(place, node)}: {shown(node.value)} is not a number")
        if isinstance(node, ast.Call) and (
            node.keywords or not isinstance(node.func, (ast.Name, ast.Attribute))
        ):
            raise InputError(f"{_at(place, node)}: only functions are called, by name and without keywords")
        if isinstance(node, ast.Attribute):
            _check_attribute(node, place, methods, given)


def _check_attribute(node: ast.Attribute, place: str, methods: frozenset[str], given: set[str]) -> None:
    if not isinstance(node.ctx, ast.Load):
        raise InputError(f"{_at(place, node)}: an attribute cannot be set; use program.set or program.change")
    if not isinstance(node.value, ast.Name):
        raise InputError(f"{_at(place, node)}: only arguments and math have attributes")
    if node.value.id in given and node.attr not in methods:
        raise InputError(
            f"{_at(place, node)}: there is no {node.value.id}.{node.attr}; the reference lists what there is"
        )


def _walk(tree: ast.FunctionDef) -> Iterator[ast.AST]:
    """All of a function but its annotations."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop(0)
        yield node
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "type_params"):
                continue
            todo += [
                one for one in (value if isinstance(value, list) else [value]) if isinstance(one, ast.AST)
            ]


def _names(tree: ast.FunctionDef) -> list[ast.Name]:
    """The places where the function reads a name that is not its own."""
    nodes = [node for node in _walk(tree) if isinstance(node, ast.Name)]
    own = {argument.arg for argument in tree.args.args}
    own |= {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
    return [node for node in nodes if node.id not in own]


def _value(function: FunctionType, node: ast.Name, place: str, methods: frozenset[str], depth: int) -> Any:
    """What a name stands for: a number, a frozen function or `math`; None for what Python has built in."""
    outer = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    value: Any = None
    if node.id in outer:
        try:
            value = outer[node.id].cell_contents
        except ValueError:
            raise InputError(f"{_at(place, node)}: {node.id} is not defined yet") from None
    elif node.id in function.__globals__:
        value = function.__globals__[node.id]
    elif node.id in _BUILTINS:
        return None
    elif hasattr(builtins, node.id):
        raise InputError(f"{_at(place, node)}: {node.id} cannot be compiled")
    else:
        raise InputError(f"{_at(place, node)}: {node.id} is not defined here")
    value = getattr(value, "__wrapped__", value)  # another operator
    if isinstance(value, (np.integer, np.floating, np.bool_)):
        value = value.item()
    if isinstance(value, (bool, float)) or (isinstance(value, int) and abs(value) <= _LARGEST):
        return value
    if value is math:
        return value
    if isinstance(value, FunctionType):
        return _frozen(value, methods, depth - 1)
    raise InputError(
        f"{_at(place, node)}: {node.id} is neither a number, nor a function, nor the module math, which is "
        "all that can be compiled; random numbers come from `random` alone"
    )


def _at(place: str, node: ast.AST, otherwise: ast.AST | None = None) -> str:
    """The beginning of a message about a place in a file."""
    line = getattr(node, "lineno", getattr(otherwise, "lineno", "?"))
    file = re.sub(r".*[/\\]", "", place)
    return f"line {line}" if file.startswith("<") else f"{file}:{line}"
