"""Every figure of a campaign has what a journal asks for."""

from __future__ import annotations

from typing import Any

import pytest
from figure_checks import check

from gatewalk.analysis import (
    distributions_figure,
    ecdf_figure,
    growth,
    ratio_figure,
    sample,
    success_figure,
    times_figure,
)
from gatewalk.analysis.growth_figures import growth_and_exponents_figure
from gatewalk.analysis.style import COLOURS, EXACT, EXACT_LINE, look

SIZES = (3, 4, 6, 8, 12, 16)
CURVES = {
    f"nodes={nodes} {selection}": {
        n: sample(
            [scale * n**3 + 17 * k for k in range(12)],
            [not (selection == "strict" and (n > 6 and k > 16 - n)) for k in range(12)],
        )
        for n in SIZES
    }
    for scale, nodes in enumerate(("n", "2n", "n^2"), 1)
    for selection in ("nonstrict", "strict")
}
NEVER = {**CURVES, "never": {3: sample([5, 5], [False, False]), 8: sample([9, 9], [True, False])}}


def fitted() -> dict[str, Any]:
    return {name: (along, growth(along, resamples=5)) for name, along in list(CURVES.items())[:2]}


FIGURES = {
    "time": lambda: times_figure(
        NEVER,
        bounds={name: {n: 1e4 * 10.0**n for n in SIZES} for name in CURVES},
        exact={"nodes=n nonstrict": {3: 40.0}},
        published={"nodes=n strict": {3: 30.0}},
    ),
    "ecdf": lambda: ecdf_figure(CURVES),
    "distribution": lambda: distributions_figure(NEVER),
    "success": lambda: success_figure(NEVER),
    "growth": lambda: growth_and_exponents_figure(fitted()),
    "ratio": lambda: ratio_figure({"nodes=n^2": {n: 10.0**-n for n in SIZES}}, bound="Theorem 6"),
}


@pytest.mark.parametrize("kind", FIGURES)
def test_a_journal_takes_it(kind: str) -> None:
    check(FIGURES[kind]())


def test_as_many_curves_as_a_figure_may_have_look_different() -> None:
    looks = [look(index) for index in range(42)]
    assert len({(one.colour, str(one.dashes), one.marker) for one in looks}) == 42


def test_exact_values_have_a_colour_of_their_own() -> None:
    assert EXACT["color"] == EXACT_LINE["color"]
    assert EXACT["color"] not in COLOURS


def test_powers_in_names_are_raised() -> None:
    texts = [text.get_text() for text in ecdf_figure(CURVES).axes[0].get_legend().get_texts()]
    assert "nodes=n$^{2}$ strict (72 runs)" in texts
