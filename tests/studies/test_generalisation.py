"""Mean errors and their drawing."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.analysis.style import panels
from gatewalk.studies.generalisation import MeanError, draw_errors, mean_error


def test_a_mean_with_its_standard_error() -> None:
    found = mean_error([0.1, 0.2, 0.3, 0.2])
    assert found.mean == pytest.approx(0.2)
    assert found.off == pytest.approx(np.std([0.1, 0.2, 0.3, 0.2], ddof=1) / 2)
    assert str(MeanError(0.5, 0.01)) == "0.5 ± 0.02"


def test_errors_of_none_are_left_out_and_bars_stay_above_zero() -> None:
    _, ((axes,),) = panels(height=2)
    draw_errors(axes, {"a": {8: MeanError(0.01, 0.1), 16: MeanError(0.0, 0.0)}})
    assert list(axes.lines[0].get_xdata()) == [8]
    low, high = axes.collections[0].get_segments()[0][:, 1]
    assert 0 < low < 0.01 < high
