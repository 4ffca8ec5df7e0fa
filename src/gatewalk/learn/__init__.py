"""Circuits from data: estimators for scikit-learn that learn Boolean circuits from examples.

>>> from gatewalk.learn import CircuitClassifier
>>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
>>> print(CircuitClassifier(gates="and,xor", budget=10_000, random_state=1).fit(X, y).expression())
class_1 = x1 ^ x0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    from gatewalk.learn.estimators import CircuitClassifier, CircuitTransformer
    from gatewalk.learn.front import FrontMember

__all__ = ["CircuitClassifier", "CircuitTransformer", "FrontMember"]
_HOME = {"CircuitClassifier": "estimators", "CircuitTransformer": "estimators", "FrontMember": "front"}


def __getattr__(name: str) -> Any:
    """Import the estimators when they are first used, because they need scikit-learn."""
    from importlib import import_module

    from gatewalk.extras import need

    if name not in _HOME:
        raise AttributeError(f"module 'gatewalk.learn' has no attribute {name!r}")
    need("sklearn", "learning circuits from data")
    return getattr(import_module(f"gatewalk.learn.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
