"""What a statement of the theory is: a number for every search that meets its assumptions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gatewalk.theory.assumptions import Assumption, Case


@dataclass(frozen=True)
class Statement:
    """A result of the paper or beyond it.

    key: its name in JSON. name: where it is in the paper, or a short title. says: what its number means.
    assumptions: the assumptions about the search. formula: its number for a case that meets all of them.
    note: a remark that is shown beside the number.
    """

    key: str
    name: str
    says: str
    assumptions: tuple[Assumption, ...]
    formula: Callable[[Case], Any]
    note: str = ""
