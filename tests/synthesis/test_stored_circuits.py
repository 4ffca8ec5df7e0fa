"""The small circuits that are kept with the benchmarks: right, and as small as is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gatewalk.circuit.equivalence import circuit_side, compare, target_side
from gatewalk.circuit.formats import read_file
from gatewalk.circuit.own_target import target
from gatewalk.synthesis.bases import basis

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
RECORDS = [json.loads(line) for line in (RESULTS / "synthesis.jsonl").read_text().splitlines()]
STORED = [record for record in RECORDS if record.get("method") == "resubstitution"]


@pytest.mark.parametrize("record", STORED, ids=lambda record: f"{record['target']}-{record['gates']}")
def test_a_stored_circuit_is_right_and_as_small_as_is_said(record: dict[str, object]) -> None:
    name, gates = str(record["target"]), str(record["gates"])
    circuit = read_file(RESULTS / "circuits" / f"{name.replace(':', '')}-{gates}.blif")
    assert len(circuit) == record["gatewalk"]
    assert {node.gate for node in circuit.nodes} <= set(basis(gates).gates)
    verdict = compare(circuit_side(circuit), target_side(target(name)))
    assert verdict
    assert verdict.proof


def test_multipliers_are_smaller_than_those_known_before() -> None:
    sizes = {(record["target"], record["gates"]): record["gatewalk"] for record in STORED}
    assert sizes["mul:3", "any"] == 23
    assert sizes["mul:4", "any"] <= 57
