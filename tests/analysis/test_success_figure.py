"""Success rates are drawn with their intervals."""

from __future__ import annotations

import numpy as np

from gatewalk.analysis import sample, success_figure, success_rate


def test_rates_and_intervals() -> None:
    half = sample([1, 9], [True, False])
    (axes,) = success_figure({"a": {3: half, 5: sample([1, 2], [True, True])}}).axes
    assert axes.lines[0].get_ydata().tolist() == [0.5, 1.0]  # type: ignore[union-attr]
    assert axes.lines[0].get_xdata().tolist() == [3, 5]  # type: ignore[union-attr]
    segment = axes.collections[0].get_segments()[0]  # type: ignore[attr-defined]
    interval = success_rate(half).interval
    assert np.allclose(segment[:, 1], [interval.low, interval.high])
