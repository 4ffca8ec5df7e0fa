"""The law's options are checked, and the profiles differ as they should."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from gatewalk.cgp.law import PAPER, PROFILES, TINYVERSE, CgpLaw
from gatewalk.errors import InputError


def test_the_profiles() -> None:
    assert PROFILES == {"paper": PAPER, "tinyverse": TINYVERSE}
    assert CgpLaw() == PAPER
    paper, tinyverse = asdict(PAPER), asdict(TINYVERSE)
    assert {name: tinyverse[name] for name in paper if paper[name] != tinyverse[name]} == {
        "sam_ends": "picked",
        "ties": "coin",
        "starts": 2,
        "uncounted": 1,
        "levels_back": "nodes",
        "levels_over": "sources",
    }


@pytest.mark.parametrize("options", [{"starts": 0}, {"starts": 1.5}, {"uncounted": -1}, {"rows": 0}])
def test_wrong_options_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"option {next(iter(options))}"):
        CgpLaw(**options)
