"""Single options of a law, as texts or values."""

from __future__ import annotations

import pytest

from gatewalk.cgp.law import PAPER, CgpLaw
from gatewalk.errors import InputError
from gatewalk.search.law_options import with_options


def test_texts_and_values_are_the_same() -> None:
    written = {"starts": "2", "levels_back": "none", "ties": "coin"}
    assert with_options(PAPER, written) == with_options(
        PAPER, {"starts": 2, "levels_back": None, "ties": "coin"}
    )
    assert with_options(PAPER, {"levels_back": "5"}) == CgpLaw(levels_back=5)
    assert with_options(PAPER, {}) is PAPER


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tie": "coin"}, "unknown option 'tie'; this algorithm knows sam_ends"),
        ({"ties": "dice"}, "option ties is 'dice'; use accept, coin"),
        ({"ties": 1}, "option ties is 1; use accept, coin"),
        ({"starts": True}, "option starts is True; use a number"),
        ({"starts": 1.5}, "option starts is 1.5; use a number"),
        ({"starts": 10**12}, "at most 1,000,000,000"),
        ({"starts": "9" * 5000}, "at most 1,000,000,000"),
        ({"levels_back": 10**5000}, "at most 1,000,000,000"),
        ("ties=coin", "options are 'ties=coin'; they must be names with values"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(options: object, words: str) -> None:
    with pytest.raises(InputError) as error:
        with_options(PAPER, options)  # type: ignore[arg-type]
    assert words in str(error.value)
    assert len(str(error.value)) < 400
