"""Labels as identifiers of a programming language."""

from __future__ import annotations

import re
from collections.abc import Collection

from gatewalk.circuit.names import Spelling


def identifier(keywords: Collection[str]) -> Spelling:
    """A function that spells labels as identifiers: letters, digits and _, and none of the keywords.

    Other characters become _. A digit at the start gets a _ before it, a keyword a _ after it. Of several _
    at the start, which languages reserve, one is left; a label of _ only, or an empty one, becomes _x.
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
