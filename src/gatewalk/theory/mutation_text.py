"""A mutation's name and strength, as the exact chains need them: `rate:0.2` is ("rate", 0.2)."""

from __future__ import annotations

from gatewalk.cgp.mutations import parse_mutation
from gatewalk.errors import InputError


def name_and_strength(text: str) -> tuple[str, float | None]:
    """The name and the number of a mutation; None if it has no number.

    >>> name_and_strength("point:3")
    ('point', 3.0)
    """
    parse_mutation(text)  # refuses what no search can do
    name, colon, strength = text.partition(":")
    try:
        return name, float(strength) if colon else None
    except ValueError:
        raise InputError(f"the strength of mutation {text!r} is no number: it has no exact chain") from None
