"""Every gate on columns of words, against its truth table."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import GATES, anf
from gatewalk.boolean.tables import apply
from gatewalk.native.columns import apply_gate

apply_to = entry(apply_gate)


@pytest.mark.parametrize("name", GATES)
def test_every_gate(name: str) -> None:
    gate, random = GATES[name], np.random.default_rng(1)
    columns = list(random.integers(0, 2**64, size=(3, 5), dtype=np.uint64))
    form = np.zeros(8, dtype=np.uint64)
    form[: 1 << gate.arity] = np.array(anf(gate), dtype=np.uint64) * np.uint64(2**64 - 1)
    used, result = [*columns[: gate.arity], *columns[:1] * 3][:3], np.zeros(5, dtype=np.uint64)
    apply_to(*used, form, gate.arity, result)
    wanted = apply(gate, *columns[: gate.arity]) if gate.arity else np.full(5, -gate.table % 2**64, np.uint64)
    assert np.array_equal(result, wanted)
