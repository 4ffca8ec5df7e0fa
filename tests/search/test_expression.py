"""Numbers as expressions in n: what is understood, and what is refused."""

from __future__ import annotations

import pytest

from gatewalk.errors import InputError
from gatewalk.search.expression import MOST_NODES, in_n


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("16", 16),
        (16, 16),
        ("n", 8),
        ("2n", 16),
        ("3n+1", 25),
        ("n-1", 7),
        ("n^2", 64),
        ("2*n - 3", 13),
        ("3N", 24),
    ],
)
def test_expressions(text: str | int, value: int) -> None:
    assert in_n(text, 8) == value


@pytest.mark.parametrize("text", ["", "m", "2n+", "n^3", "-3", "1.5", "n-9", "0"])
def test_wrong_expressions(text: str) -> None:
    with pytest.raises(InputError, match="nodes is"):
        in_n(text, 8)


def test_a_number_of_nodes_has_a_limit() -> None:
    assert in_n(str(MOST_NODES), 8) == MOST_NODES
    for text in (MOST_NODES + 1, "n^2", "9" * 5000):
        with pytest.raises(InputError, match="at most"):
            in_n(text, MOST_NODES)
