"""The running time of a cell in brief: ERT with its interval, median, and the mean of the solved runs."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from gatewalk.numbers import number, running_time
from gatewalk.stats.resampling import quick_ert_interval
from gatewalk.stats.sample import Interval, Sample, ert
from gatewalk.stats.survival import median


@dataclass(frozen=True)
class ExpectedTime:
    """The expected running time ERT with its 95 % bootstrap interval; infinite if no run was solved.

    >>> from gatewalk.stats import sample
    >>> print(expected_time(sample([3, 5, 10, 4], [True] * 4)))
    5.5 (95 %: 3.5 to 8.5)
    """

    value: float
    interval: Interval

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        if self.value == inf:
            return running_time(self.value)
        low, high = (number(end) for end in self.interval)
        return f"{number(self.value)} (95 %: {low} to {high})"


def expected_time(data: Sample) -> ExpectedTime:
    """The ERT of a sample with its interval, as pages and tables show it.

    >>> from gatewalk.stats import sample
    >>> expected_time(sample([3, 5, 10], [True, True, False])).value
    9.0
    """
    return ExpectedTime(ert(data), quick_ert_interval(data))


def time_record(data: Sample) -> dict[str, Any]:
    """What a table says of the running time of a cell; a median that is not reached is infinite.

    mean_of_solved: of the solved runs alone, which says little where runs were given up; None if there is
        none.

    >>> from gatewalk.stats import sample
    >>> record = time_record(sample([3, 5, 10], [True, True, False]))
    >>> record["runs"], record["solved"], record["ert"], record["median"]
    (3, 2, 9.0, 5.0)
    """
    expected = expected_time(data)
    return {
        "runs": data.runs,
        "solved": data.successes,
        "ert": expected.value,
        "ert_low": expected.interval.low,
        "ert_high": expected.interval.high,
        "median": median(data).value,
        "mean_of_solved": float(data.times.mean()) if data.successes else None,
    }
