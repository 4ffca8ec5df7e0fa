"""What a statement of the theory is: a number for any search that meets its assumptions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gatewalk.theory.assumptions import Assumption, Case


@dataclass(frozen=True)
class Statement:
    """A theorem, lemma or bound that has a number for the settings of a search.

    Attributes
    ----------
    key
        Its key in JSON.
    name
        Where it stands in the paper, or what it is.
    says
        What its number is.
    assumptions
        What it asks of a search.
    formula
        Its number for a search that meets them all.
    note
        What to know beside the number.

    Examples
    --------
    >>> from gatewalk.theory.statements import STATEMENTS
    >>> [one.key for one in STATEMENTS][:3]
    ['lemma1_bits', 'lemma2_mismatches', 'theorem3']
    """

    key: str
    name: str
    says: str
    assumptions: tuple[Assumption, ...]
    formula: Callable[[Case], Any]
    note: str = ""
