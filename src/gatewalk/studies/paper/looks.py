"""How a model looks: the same colour, line and marker in every panel, and its entry in a legend.

Ours are lines with bands, published values are open markers, exact values are bars.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatewalk.analysis.style import BLUE, EXACT, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, Look
from gatewalk.studies.paper.models import Model

if TYPE_CHECKING:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

LOOKS = {
    "cgp-n-1": Look(ORANGE, (0, (1, 1)), "P"),
    "cgp-1n": Look(BLUE, "solid", "o"),
    "cgp-2n": Look(SKY, (0, (7, 2)), "s"),
    "cgp-3n": Look(GREEN, (0, (6, 1.5, 1, 1.5)), "^"),
    "tgp-single": Look(VERMILION, (0, (1.2, 1.2)), "v"),
    "tgp-multi": Look(PURPLE, (0, (4, 1, 1, 1, 1, 1)), "D"),
}


def handle(model: Model, profile: str = "paper", *, marker: bool = True, filled: bool = False) -> Line2D:
    """A model's entry in a legend: its line with its marker, open as for published values or filled."""
    from matplotlib.lines import Line2D

    look = LOOKS[model.name]
    return Line2D(
        [],
        [],
        color=look.colour,
        linestyle=look.dashes,
        marker=look.marker if marker else "",
        markersize=4,
        markerfacecolor=look.colour if filled else "white",
        label=model.label(profile),
    )


def band_handle() -> Patch:
    """The entry of bootstrap bands in a legend."""
    from matplotlib.patches import Patch

    return Patch(facecolor=GREY, alpha=0.25, label="95 % bootstrap")


def exact_handle() -> Line2D:
    """The entry of exact expectations in a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], **EXACT, label="exact")
