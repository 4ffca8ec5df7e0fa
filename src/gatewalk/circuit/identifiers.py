"""Labels as identifiers of a programming language."""

from __future__ import annotations

import re
from collections.abc import Collection

from gatewalk.circuit.names import Spelling


def identifier(keywords: Collection[str]) -> Spelling:
    """The spelling of labels as names of letters, digits and _ that are none of the keywords.

    Other characters become _, a digit at the start gets one before it, a keyword one behind it; so
    does a name that begins with two, which C and Python keep for themselves.
    """

    def spell(label: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", label)
        plain = re.sub(r"^_+", "_", plain)
        if not plain or plain[0].isdigit() or plain == "_":
            plain = f"_{plain}" if plain != "_" else "_x"
        return f"{plain}_" if plain in keywords else plain

    return spell
