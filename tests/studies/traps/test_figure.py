"""The figure of the study on traps: exact values and runs in three panels."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.studies.traps.figure import draw
from gatewalk.studies.traps.sizes import PARTS, kept, size_of

EXACT, RUN = ([size_of(n, record) for n, record in kept(how).items()] for how in ("exact", "runs"))


def test_three_panels_along_n() -> None:
    shares, parts, exponents = draw(EXACT, RUN).axes
    for axes in (shares, parts, exponents):
        low, high = axes.get_xlim()
        assert low < RUN[0].n < RUN[-1].n < high
    (bars,) = shares.containers
    assert list(bars.lines[0].get_ydata()) == pytest.approx([size.share for size in RUN])
    assert any(list(line.get_ydata()) == pytest.approx([s.share for s in EXACT]) for line in shares.lines)
    assert len(parts.collections) == len(PARTS)
    top = parts.collections[-1].get_paths()[0].vertices[:, 1].max()
    assert top == pytest.approx(max(sum(size.parts.values()) for size in RUN))
    (bars,) = exponents.containers
    assert np.isfinite(bars.lines[0].get_ydata()).all()
