"""Operators that users write, as values: `gatewalk.mutation` and `gatewalk.selection` make them of functions.

Observers, which `gatewalk.observer` makes, are such values too, but no part of a search.

An operator is known by its name and the digest of its function (`native.frozen`); together they are its
identity, which seeds runs. In a kernel it is a named tuple whose type is named after the digest, and the name
is all that is needed to make the type: so any process can read the index of the cache of kernels, whichever
operators other processes had. A store or a worker knows an operator without its function; to make runs, the
function must be there, in the same version.
"""

from __future__ import annotations

import importlib
import re
from collections import namedtuple
from dataclasses import dataclass
from types import FunctionType
from typing import Any, ClassVar

import numpy as np

from gatewalk.errors import InputError, shown
from gatewalk.foreign import defined, reference, why
from gatewalk.native.frozen import DIGEST, Frozen

# What the compiler's errors of dozens of lines have to say.
_TELLING = re.compile(
    "(a gene, a value or a bound must|an observer must|Cannot unify|Unknown attribute|missing a required)"
    "[^\n]*"
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}")
_FIELDS = {
    "Mutation": ("own",),
    "One": ("strict", "offspring"),
    "Several": ("strict", "offspring"),
    "Observer": ("columns", "is_symbolic"),
}
# What an observer is told after each selection, if it names it.
TOLD = ("iteration", "parent", "offspring", "accepted", "gates", "level")
_types: dict[str, type] = {}
_functions: dict[
    tuple[str, str], tuple[Frozen, str]
] = {}  # by kind and digest: the function, where to find it
_latest: dict[tuple[str, str], OwnOperator] = {}  # by kind and name, as registered last


def __getattr__(name: str) -> type:
    """The type of an operator in a kernel, also of one that only the cache of kernels knows."""
    prefix, _, digest = name.partition("_")
    if prefix not in _FIELDS or not DIGEST.fullmatch(digest):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name not in _types:
        _types[name] = namedtuple(name, _FIELDS[prefix], module=__name__)
    return _types[name]


@dataclass(frozen=True)
class OwnOperator:
    """A mutation or a selection that a user wrote."""

    name: str
    digest: str
    kind: ClassVar[str] = ""

    def __str__(self) -> str:
        return self.name

    @property
    def identity(self) -> str:
        """What it is known by in stores and in the hash that seeds runs."""
        return f"{self.name}@{self.digest}"

    @property
    def frozen(self) -> Frozen:
        """Its function; raises `InputError` if it is not defined in this process."""
        if (self.kind, self.digest) not in _functions:
            raise InputError(
                f"the {self.kind} {self.name} is not defined here, or was changed since; run or import the "
                f"file that defines it as it was (digest {self.digest})"
            )
        return _functions[self.kind, self.digest][0]

    @property
    def __wrapped__(self) -> FunctionType:
        return self.frozen.wrapped

    def __call__(self, *arguments: Any) -> Any:
        """Call the function, as the reference implementation does."""
        return self.frozen.function(*arguments)

    def __reduce__(self) -> tuple[Any, ...]:
        known = _functions.get((self.kind, self.digest))
        return received, (self.kind, self.name, self.digest, known[1] if known else "")


@dataclass(frozen=True)
class OwnMutation(OwnOperator):
    """A mutation that a user wrote; what `gatewalk.mutation` makes of a function."""

    kind: ClassVar[str] = "mutation"
    strength: ClassVar[float] = 0.0

    def fewest_picks(self, genes: int) -> float:
        """See `Mutation`."""
        return 0.0

    def arrays(self) -> Any:
        """See `Mutation`."""
        from gatewalk.cgp.mutations import PARTS
        from gatewalk.native.jit import inlined

        made = __getattr__(f"Mutation_{self.digest}")
        if made not in PARTS:
            part = self.frozen.compiled(inlined)

            @inlined
            def operate(mutation, program, random):  # type: ignore[no-untyped-def]
                part(program, random)

            PARTS[made] = operate
        return made(True)


@dataclass(frozen=True)
class OwnSelection(OwnOperator):
    """A selection that a user wrote; what `gatewalk.selection` makes of a function."""

    kind: ClassVar[str] = "selection"

    def rule(self, offspring: int) -> Any:
        """The selection as the named tuple that kernels take."""
        from gatewalk.cgp import selections
        from gatewalk.native.jit import inlined

        one, several = (__getattr__(f"{prefix}_{self.digest}") for prefix in ("One", "Several"))
        if one not in selections.ACCEPTS:
            part = self.frozen.compiled(inlined)

            @inlined
            def accepts(rule, parent, offspring, random):  # type: ignore[no-untyped-def]
                return part(parent, offspring, random)

            selections.register(one, several, accepts)
        return (one if offspring == 1 else several)(False, offspring)


@dataclass(frozen=True)
class OwnObserver(OwnOperator):
    """An observer that a user wrote; what `gatewalk.observer` makes of a function."""

    kind: ClassVar[str] = "observer"

    @property
    def parameters(self) -> tuple[str, ...]:
        """What its function takes: columns, and what it is told."""
        return tuple(argument.arg for argument in self.frozen.tree.args.args)

    @property
    def columns(self) -> tuple[str, ...]:
        """What it counts, in the order in which its function takes and returns it."""
        return tuple(name for name in self.parameters if name not in TOLD)

    def arrays(self, runs: int, *, is_symbolic: bool) -> Any:
        """The named tuple that kernels take, for a walk of so many runs, whose columns are 0."""
        from gatewalk.cgp import observers, own_observers
        from gatewalk.native.jit import inlined

        made = __getattr__(f"Observer_{self.digest}")
        if not observers.is_registered(made):
            part = self.frozen.compiled(inlined)
            own_observers.register(made, part, self.parameters, self.columns)
        return made(np.zeros((runs, len(self.columns)), dtype=np.int64), is_symbolic)


_KINDS: dict[str, type[OwnOperator]] = {
    "mutation": OwnMutation,
    "selection": OwnSelection,
    "observer": OwnObserver,
}
RESERVED = {"mutation": ("sam", "point", "rate"), "selection": ("strict", "nonstrict", "ties")}


def check_name(kind: str, name: object) -> None:
    """Raise `InputError` if an operator cannot have this name."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(
            f"the name of a {kind} is {shown(name)}; use letters, digits, - and _, "
            f'as in @gatewalk.{kind}("my-{kind}")'
        )
    if name in RESERVED[kind]:
        raise InputError(f"{name} is a {kind} of Gatewalk; choose another name")


def registered(kind: str, name: str, frozen: Frozen) -> Any:
    """The operator of a function, known in this process by its name from now on."""
    operator = _KINDS[kind](name, frozen.digest)
    module = frozen.wrapped.__module__ or ""
    home = module.removeprefix("gatewalk.foreign:")  # with that beginning it is a user's file
    origin = "" if module == "__main__" else f"{home}:{frozen.name}"
    _functions.setdefault((kind, frozen.digest), (frozen, origin))
    _latest[kind, name] = operator
    return operator


def from_text(kind: str, text: str) -> Any:
    """The operator that a text names: one of this process, FILE:NAME or an identity; None for other texts."""
    if (kind, text) in _latest:
        return _latest[kind, text]
    name, at, digest = text.partition("@")
    if at and _NAME.fullmatch(name) and DIGEST.fullmatch(digest):
        return _KINDS[kind](name, digest)
    if (found := _found(text)) is None:
        return None
    if not isinstance(found, _KINDS[kind]):
        raise InputError(
            f'{shown(text)} is {_what(found)}; a {kind} is a function under @gatewalk.{kind}("name")'
        )
    return found


def _what(found: object) -> str:
    return f"a {found.kind}" if isinstance(found, OwnOperator) else f"a {type(found).__name__}"


def _found(text: str) -> object:
    """What a text such as `mine.py:name` or `package.module:name` refers to; None for other texts."""
    file = reference(text)
    if file is not None:
        return defined(file.file, file.name)
    module, colon, name = text.partition(":")
    if not colon or not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
        return None
    try:
        return vars(importlib.import_module(module))[name]
    except InputError:
        raise
    except KeyError:
        raise InputError(f"the module {module} defines no {name}") from None
    except Exception as error:
        raise InputError(
            f"the module {module} cannot be imported ({type(error).__name__}: {error})"
        ) from None


def received(kind: str, name: str, digest: str, origin: str) -> OwnOperator:
    """The operator that another process sent: code is not sent, but imported here by its own name."""
    operator = _KINDS[kind](name, digest)
    if (kind, digest) not in _functions and origin:
        _found(origin)
    return operator


def own_operators(search: Any) -> list[OwnOperator]:
    """The operators of a search that users wrote."""
    used = (getattr(search, "mutation", None), search.selection)
    return [operator for operator in used if isinstance(operator, OwnOperator)]


def explained(search: Any, error: Exception, observer: OwnObserver | None = None) -> Exception:
    """An error of a search in one line, if it or who watches it uses functions of users; else the error."""
    own = own_operators(search) + ([observer] if observer else [])
    blamed = [one for one in own if f"def {one.frozen.name}(" in str(error)]  # as the compiler shows it
    return in_one_line((blamed or own)[0], error) if own else error


def in_one_line(operator: OwnOperator, error: Exception) -> InputError:
    """An error of this operator's function in one line, with the line of the function where that is known."""
    from numba.core.errors import NumbaError

    place = operator.frozen.place
    reason = why(error, place)
    if isinstance(error, NumbaError):  # the places in the source are in its text
        file = re.escape(re.split(r"[/\\]", place)[-1])
        lines = re.findall(f'File "[^"]*{file}", line ([0-9]+)', str(error))
        told = _TELLING.search(str(error))
        reason = f"cannot be compiled{f' ({told[0]})' if told else ''}"
        reason = f"line {lines[-1]} {reason}" if lines else reason
    return InputError(f"{operator.kind} {operator.name}: {reason}")
