from __future__ import annotations

from pathlib import Path

import numpy as np

from gatewalk.learn import CircuitClassifier
from gatewalk.learn.presenting import draw, rules

X = np.random.default_rng(3).integers(0, 2, (60, 8))


def test_a_drawing_has_the_inputs_that_are_read(tmp_path: Path) -> None:
    model = CircuitClassifier(budget=20_000, runs=1, random_state=1).fit(X, X[:, 2] & X[:, 5])
    draw(model.circuit_, tmp_path / "circuit.svg")
    text = (tmp_path / "circuit.svg").read_text()
    assert [f"x{j}" for j in range(8) if f">x{j}<" in text] == ["x2", "x5"]
    assert rules(model._learnt) == ["if x2 and x5 then the class is 1", "otherwise the class is 0"]
