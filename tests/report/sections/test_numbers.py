"""Numbers on their way into JSON."""

import json
from math import inf, nan

from gatewalk.report.sections.numbers import all_finite, counted


def test_json_can_write_all_of_them() -> None:
    found = all_finite([1.0, 0.1234567, nan, inf, -inf, None, 1e300])
    assert json.loads(json.dumps(found, allow_nan=False)) == [1, 0.123457, None, None, None, None, 1e300]


def test_words() -> None:
    assert counted(1, "run") == "1 run"
    assert counted(1_000_000, "run") == "1,000,000 runs"
