"""The exact distribution in the figure is the chain's."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.analysis.distribution_figures import SHOWN
from gatewalk.search.settings import settings
from gatewalk.studies.paper.exact_figures import exact_distributions
from gatewalk.theory.chain.sam_search import solved


@pytest.mark.parametrize("profile", ["paper", "tinyverse"])
def test_the_exact_curve_begins_at_the_solved_starts_and_rises_to_one(profile: str) -> None:
    figure = exact_distributions({}, profile)
    nodes = 3 if profile == "paper" else 4
    for axes, selection in zip(figure.axes, ("nonstrict", "strict"), strict=True):
        (curve,) = axes.lines
        shares = np.asarray(curve.get_ydata(), dtype=float)
        law = solved(settings("and:3", nodes=nodes, profile=profile, selection=selection)).distribution()
        assert shares[0] == pytest.approx(law.cumulative(0))
        assert (np.diff(shares) >= 0).all()
        assert shares[-1] >= SHOWN - 1e-3
        assert axes.get_xscale() == "log"
