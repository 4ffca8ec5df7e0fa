"""Functions that are merged into kernels, made callable from a test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that does nothing but call the function."""

    @numba.njit
    def call(*arguments):
        return function(*arguments)

    return call
