"""Labels as identifiers of a programming language."""

from __future__ import annotations

import re
from collections.abc import Collection

from gatewalk.circuit.names import Spelling


def identifier(keywords: Collection[str]) -> Spelling:
    """The spelling of labels as names of letters, digits and _ that are none of the keywords.

    Other characters become _, a digit at the start gets one before it, a keyword one behind it. Of
    several _ at the start, which languages keep for themselves, one is left, and of nothing else _x.
    """

    def spell(label: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", label)
        plain = re.sub(r"^_+", "_", plain)
        if plain in ("", "_"):
            plain = "_x"
        if plain[0].isdigit():
            plain = f"_{plain}"
        return f"{plain}_" if plain in keywords else plain

    return spell
