"""`gatewalk exact --training sample`: a line for each set, then the means."""

from __future__ import annotations

import json

import pytest
from command import call, record


def test_sampled_sets(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("and:3", "--nodes", "2", "--training", "sample:4", "--seed", "1")
    one = record(capsys, "exact", *asked)
    code, out, _ = call(capsys, "exact", *asked, "--sets", "2", "--json")
    first, second, means = (json.loads(line) for line in out.splitlines())
    assert code == 0
    assert (first["set"], second["set"], means["sets"], one["sets"]) == (0, 1, 2, 1)
    assert one["expected_iterations"] == first["expected_iterations"]
    assert means["expected_iterations"] == pytest.approx(
        (first["expected_iterations"] + second["expected_iterations"]) / 2
    )
    assert {"states", "classes", "p_never", "p_level_drops", "generalisation"} < set(one)
    code, out, _ = call(capsys, "exact", *asked, "--sets", "2")
    assert code == 0
    assert "means over 2 sets" in out
    assert "level ever drops" in out
    code, _, err = call(capsys, "exact", *asked, "--levels")
    assert code == 2
    assert "--training complete" in err
