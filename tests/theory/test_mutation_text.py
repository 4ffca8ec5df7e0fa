"""Names and strengths of mutations."""

from __future__ import annotations

import pytest

from gatewalk.errors import InputError
from gatewalk.theory.mutation_text import name_and_strength


def test_names_and_strengths() -> None:
    assert name_and_strength("sam") == ("sam", None)
    assert name_and_strength("point:3") == ("point", 3.0)
    assert name_and_strength("rate:0.05") == ("rate", 0.05)


@pytest.mark.parametrize("text", ["", "shuffle", "point", "point:x", "rate:2", "sam:1"])
def test_what_no_search_can_do_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="mutation"):
        name_and_strength(text)
