"""Families of targets of the user's own: a function of the size K that returns a target.

    @gw.target_family("pairs")
    def pairs(k):
        return gw.target(lambda *x: any(map(min, x[::2], x[1::2])), inputs=2 * k)

A family belongs to the process in which it was defined. Its members are known as `pairs:5`; in seeds and
stores they are what they compute, a table or a netlist.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from gatewalk.boolean.families import FAMILIES
from gatewalk.errors import InputError, shown

Members = Callable[[int], object]
_NAME = re.compile(r"(?!x[0-9]+\Z)[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
_RESERVED = ("table", "netlist")  # with these begin the texts of other targets
OWN_FAMILIES: dict[str, TargetFamily] = {}


@dataclass(frozen=True, eq=False)
class TargetFamily:
    """A family of targets that a user wrote: its name, and the function of K that returns its members."""

    name: str
    members: Members

    def __call__(self, size: int) -> object:
        """What the function returns for this size, as it is."""
        return self.members(size)

    def __str__(self) -> str:
        return self.name


def target_family(name: str) -> Callable[[Members], TargetFamily]:
    """Decorate a function of the size K that returns a target, so that `name:K` is known as a target.

    Parameters
    ----------
    name
        What the family is called. A name of a built-in family is refused; a name of one's own may be given
        again, and then means the new function.

    Returns
    -------
    Callable
        The decorator. What it returns can be called as the function could.

    Examples
    --------
    >>> import gatewalk as gw
    >>> @gw.target_family("both-ends")
    ... def both_ends(k):
    ...     return f"x1 & x{k}"
    ...
    >>> gw.target("both-ends:5").inputs
    5
    """
    if not _NAME.fullmatch(str(name)) or name.lower() in _RESERVED:
        raise InputError(
            f"a family cannot be called {shown(name)}; use a letter, then letters, digits, _ and -, as in "
            '@target_family("dnf")'
        )
    if name.lower() in FAMILIES:
        raise InputError(f"there is a built-in family {name.lower()}; give yours another name")

    def register(members: Members) -> TargetFamily:
        if not callable(members):
            raise InputError(f"the family {name} must be a function of K, not {shown(members)}")
        OWN_FAMILIES[name] = TargetFamily(name, members)
        return OWN_FAMILIES[name]

    return register
