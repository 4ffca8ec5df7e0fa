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

__all__ = ["CircuitClassifier", "CircuitTransformer"]


def __getattr__(name: str) -> Any:
    """Import the estimators when they are first used, because they need scikit-learn."""
    if name not in __all__:
        raise AttributeError(f"module 'gatewalk.learn' has no attribute {name!r}")
    from gatewalk.extras import need

    need("sklearn", "learning circuits from data")
    from gatewalk.learn import estimators

    return getattr(estimators, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
