"""What a statement of the theory is: a number for any search that meets its assumptions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gatewalk.theory.assumptions import Assumption, Case


@dataclass(frozen=True)
class Statement:
    """A result, for any settings.

    key: its name in JSON. name: where it is in the paper, or what it is. says: what its number is.
    assumptions: what it asks of a search. formula: its number for a case that meets them all. note: what to
    know beside the number.
    """

    key: str
    name: str
    says: str
    assumptions: tuple[Assumption, ...]
    formula: Callable[[Case], Any]
    note: str = ""
