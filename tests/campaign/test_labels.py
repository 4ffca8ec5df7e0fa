"""Labels show what differs; durations can be read."""

from __future__ import annotations

import pytest

from gatewalk.campaign import Campaign, campaign, grid, plan
from gatewalk.campaign.labels import duration, labels
from gatewalk.search.settings import cell_values


def test_only_what_differs_within_a_target_is_shown() -> None:
    cells = plan(campaign(target=["and:4", "xor:3"], nodes=["n", "2n"]))
    assert labels([cell_values(cell.settings, cell.seed) for cell in cells]) == [
        "and:4 nodes=4",
        "and:4 nodes=8",
        "xor:3 nodes=3",
        "xor:3 nodes=6",
    ]


def test_what_a_tree_lacks_is_left_out() -> None:
    cells = plan(
        campaign(target="and:4", algorithm=["cgp", "tgp-multi"], nodes=["n", "2n"], offspring=[1, 4])
    )
    assert labels([cell_values(cell.settings, cell.seed) for cell in cells])[-1] == "and:4 tgp-multi lambda=4"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "unknown"),
        (0.04, "0.0 s"),
        (12.4, "12 s"),
        (200.0, "3 min 20 s"),
        (18_600.0, "5 h 10 min"),
        (187_200.0, "2 d 4 h"),
    ],
)
def test_durations(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_a_budget_is_told_only_where_nothing_else_tells_cells_apart() -> None:
    wide = plan(
        Campaign(grids=(grid(target="and:4", nodes=4, budget=5), grid(target="and:4", nodes=8, budget=6)))
    )
    assert labels([cell_values(cell.settings, cell.seed) for cell in wide]) == [
        "and:4 nodes=4",
        "and:4 nodes=8",
    ]
    same = plan(campaign(target="and:4", budget=[5, 6]))
    assert labels([cell_values(cell.settings, cell.seed) for cell in same]) == [
        "and:4 budget=5",
        "and:4 budget=6",
    ]
