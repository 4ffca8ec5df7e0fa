"""Packages that import their public names only when these are first used, so that importing them is cheap.

No module of such a package may have the name of a public name: importing it would hide that name.
"""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # stands in for `typing.TYPE_CHECKING`, without the cost of importing `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def above(module: str, name: str) -> Any:
    """A function of a higher layer, for convenience methods: `results.plot()` for `plot(results)`.

    This is the one way past the layers, and import-linter does not see it, because the module is a text that
    is imported when the method is called. Only `campaign/results.py` and `search/runs.py` may use it, for
    methods of `Results` and `Runs` that do nothing but hand these on; a test keeps it so. The room below
    works without the one above.

    Examples
    --------
    >>> above("gatewalk.boolean.gates", "gate")("and").name
    'and'
    """
    return getattr(import_module(module), name)


def exports(package: str, home: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and the `__dir__` of a package that imports its public names lazily (PEP 562).

    Parameters
    ----------
    package
        The `__name__` of the package.
    home
        For each public name, the module within the package that defines it.

    Examples
    --------
    In the `__init__` of a package:

    >>> __getattr__, __dir__ = exports("gatewalk", {"gate": "boolean.gates"})
    >>> __getattr__("gate")("and").name
    'and'
    """
    names = vars(sys.modules[package])

    def __getattr__(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        names[name] = getattr(import_module(f"{package}.{home[name]}"), name)
        return names[name]

    def __dir__() -> list[str]:
        return sorted({*names, *home})

    return __getattr__, __dir__
