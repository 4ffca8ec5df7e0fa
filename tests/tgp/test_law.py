"""The law's options are checked, and the profiles differ as they should."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.errors import InputError
from gatewalk.tgp.law import PAPER, PROFILES, TINYVERSE, TgpLaw


def test_the_profiles() -> None:
    assert PROFILES == {"paper": PAPER, "tinyverse": TINYVERSE}
    assert TgpLaw() == PAPER
    assert (PAPER.insert_at, PAPER.delete_at, PAPER.substitution) == ("node", "leaf", "leaves")
    assert (TINYVERSE.insert_at, TINYVERSE.delete_at, TINYVERSE.substitution) == (
        "descent",
        "descent",
        "functions",
    )
    assert (TINYVERSE.starts, TINYVERSE.uncounted, TINYVERSE.ties) == (2, 1, "coin")


@pytest.mark.parametrize(
    "options",
    [
        {"insert_at": "root"},
        {"delete_at": "node"},
        {"substitution": "none"},
        {"child_order": "old-first"},
        {"empty": "yes"},
        {"ties": "reject"},
        {"size_limit": 0},
        {"starts": 0},
        {"uncounted": -1},
    ],
)
def test_wrong_options_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        TgpLaw(**options)
