"""How a model looks: the same colour, line and marker in every panel, and its entry in a legend.

Ours are lines with bands, published values are open markers, exact values are bars.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatewalk.analysis.style import BLUE, EXACT, GREEN, ORANGE, PURPLE, SKY, VERMILION, Look, legend_entry
from gatewalk.studies.paper.models import MINUS, Model

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

LOOKS = {
    "cgp-n-1": Look(ORANGE, (0, (1, 1)), "P"),
    "cgp-1n": Look(BLUE, "solid", "o"),
    "cgp-2n": Look(SKY, (0, (7, 2)), "s"),
    "cgp-3n": Look(GREEN, (0, (6, 1.5, 1, 1.5)), "^"),
    "tgp-single": Look(VERMILION, (0, (1.2, 1.2)), "v"),
    "tgp-multi": Look(PURPLE, (0, (4, 1, 1, 1, 1, 1)), "D"),
}


def words(model: Model, profile: str = "paper") -> str:
    """The name of a model in a figure, with its number of nodes as a formula.

    >>> from gatewalk.studies.paper.models import MODELS
    >>> words(MODELS[0], "tinyverse"), words(MODELS[3])
    ('CGP, $D = n+1$', 'TGP single')
    """
    before, sign, nodes = model.label(profile).partition("D = ")
    return f"{before}$D = {nodes.replace(MINUS, '-')}$" if sign else before


def handle(model: Model, profile: str = "paper", *, marker: bool = True, filled: bool = False) -> Line2D:
    """A model's entry in a legend: its line with its marker, which is open for published values."""
    look = LOOKS[model.name]
    return legend_entry(
        words(model, profile),
        color=look.colour,
        linestyle=look.dashes,
        marker=look.marker if marker else "",
        markersize=4,
        markerfacecolor=look.colour if filled else "white",
    )


def exact_handle() -> Line2D:
    """The entry of exact expectations in a legend."""
    return legend_entry("exact expectation", **EXACT)
