"""Offspring that are their parents again: counted and expected."""

from __future__ import annotations

import pytest
from goldman_cells import cells

from gatewalk.studies.goldman_punch.cells import Key
from gatewalk.studies.goldman_punch.identical import identical_claim, identical_table


@pytest.mark.parametrize(("identical", "verdict"), [(9036, "confirmed"), (9236, "not confirmed")])
def test_identical_offspring(identical: int, verdict: str) -> None:
    # 0.999^700 = 0.4964 of 18,200 offspring are 9034; a standard deviation is 67.
    seen = {"rate": 0.001, "genes": [700], "offspring": [18_200], "identical": [identical], "nodes": 231.0}
    told = [cell for key, cell in cells(observed=seen).items() if key == Key("multiply", 3000, "rate:0.001")]
    assert identical_claim(told, quick=False).verdict == verdict
    assert identical_table(told).rows[0][:5] == ("multiply", "0.001", "231", "18200", str(identical))


def test_cells_that_nobody_watched_say_nothing() -> None:
    cell = cells()[Key("multiply", 3000, "rate:0.001")]
    assert identical_claim([cell], quick=False).verdict == "not judged"
    assert identical_table([cell]).rows == ()
