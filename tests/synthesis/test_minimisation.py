"""Smaller circuits: known sizes are reached, every result is proven, and seeds give them again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gatewalk.circuit.equivalence import equivalent, matches
from gatewalk.circuit.files import read_file
from gatewalk.circuit.own_targets import target
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.errors import InputError
from gatewalk.synthesis import minimisation as module
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.minimisation import minimise
from gatewalk.synthesis.options import basis
from gatewalk.synthesis.whole_search import search_whole


@pytest.mark.parametrize(("method", "evaluations"), [("resubstitution", 20_000), ("cgp", 300_000)])
def test_known_sizes_are_reached(method, evaluations):
    # Any two gates: a full adder takes 5, mul:2 takes 7, a sum of two 2-bit numbers 5 · 2 - 3.
    for name, size in (("onescount:3", 5), ("mul:2", 7), ("sum:2", 7)):
        found = minimise(name, method=method, evaluations=evaluations, seed=1)
        assert found.record["method"] == method
        assert len(found.circuit) == size
        assert matches(found.circuit, target(name))
        assert found.record["proven"] is True
        assert found.record["gates_after"] == size


def test_the_three_bit_multiplier_has_23_gates():
    found = minimise("mul:3", evaluations=3_000_000, seed=1)
    assert len(found.circuit) == 23
    assert matches(found.circuit, target("mul:3"))


@pytest.mark.parametrize("method", ["resubstitution", "cgp"])
def test_the_result_depends_on_the_seed_and_not_on_the_threads(method):
    def found(jobs, seed):
        made = minimise("mcomp:2", method=method, evaluations=30_000, runs=3, jobs=jobs, seed=seed)
        return made.circuit, made.evaluations

    assert found(1, 5) == found(2, 5) == found(3, 5)
    assert found(1, 5) != found(1, 6)


def test_it_stops_at_a_lower_bound():
    found = minimise("xor:5", evaluations=10**9, seed=1)
    assert len(found.circuit) == 4
    assert found.is_optimal
    assert found.evaluations < 10**6
    assert "no smaller circuit" in str(found)


def test_a_proof_that_no_circuit_is_smaller():
    found = minimise("maj:3", evaluations=50_000, seed=1, prove=True)
    assert len(found.circuit) == 4
    assert found.is_optimal
    assert found.bound is not None
    assert "SAT refutes circuits of 3 gates" in found.bound.reason


def test_a_proof_may_find_a_smaller_circuit():
    found = minimise("mul:2", evaluations=1, runs=1, prove=True, gates="and,xor,nimply")
    assert len(found.circuit) <= 8
    assert matches(found.circuit, target("mul:2"))
    assert found.bound is not None
    assert found.bound.gates <= len(found.circuit)


@pytest.mark.parametrize(
    ("gates", "cost"), [("nand", "gates"), ("aig", "gates,depth"), ("nand,not,xor", "nand=1,not=0.5,xor=2.5")]
)
def test_gates_and_costs_are_honoured(gates, cost):
    found = minimise("onescount:3", gates=gates, cost=cost, evaluations=200_000, seed=1)
    assert {node.gate for node in found.circuit.nodes} <= set(found.gates.gates)
    assert matches(found.circuit, target("onescount:3"))
    if gates == "nand":
        assert len(found.circuit) == 9  # the full adder of nine nand gates
    if gates == "aig":
        assert (len(found.circuit), found.cost) == (7, pytest.approx(7, abs=1e-3))
    if cost.startswith("nand="):
        assert found.cost == found.circuit.cost({"nand": 1, "not": 0.5, "xor": 2.5})


def test_rows_that_do_not_matter_are_made_use_of(tmp_path):
    path = tmp_path / "digit.pla"
    # Is a decimal digit above 4? For 10 to 15 it does not matter.
    rows = [
        f"{row & 1}{row >> 1 & 1}{row >> 2 & 1}{row >> 3} {'-' if row > 9 else int(row > 4)}"
        for row in range(16)
    ]
    path.write_text("\n".join([".i 4", ".o 1", ".type fd", *rows, ".e"]))
    found = minimise(path, evaluations=100_000, seed=1)
    assert len(found.circuit) == 3  # or(x3, and(x2, or(x0, x1)))
    assert matches(found.circuit, target(str(path)))


def test_windows_of_a_large_circuit_shrink_it_and_it_is_proven_by_sat():
    wide = mapped(target_circuit(target("add:13")), basis("nand"))  # 27 inputs, 11 gates for each bit
    found = minimise(wide, evaluations=2_000_000, runs=1, seed=1)
    assert found.verdict.method == "sat"
    assert len(wide) == 11 * 13
    assert len(found.circuit) < 100
    assert equivalent(found.circuit, wide)


def test_a_circuit_that_does_not_become_smaller_stays_as_it_was():
    adder = target_circuit(target("add:12")).simplify()  # 25 inputs: windows; smaller ones are not known
    found = minimise(adder, evaluations=200_000, runs=1, seed=1)
    assert len(found.circuit) == len(adder) == 5 * 12
    assert found.circuit.depth == adder.depth


@pytest.mark.parametrize("method", ["resubstitution", "cgp"])
def test_windows_give_the_same_circuit_whatever_the_threads(method, monkeypatch):
    monkeypatch.setattr(module, "MOST_WHOLE", 10)
    options = {"method": method, "evaluations": 150_000, "runs": 2, "seed": 3}
    results = [minimise("alu:2", jobs=jobs, **options).circuit for jobs in (1, 2)]
    assert results[0] == results[1]
    assert matches(results[0], target("alu:2"))


def test_nothing_unproven_is_returned(monkeypatch):
    def spoiled(*arguments, **options):
        result = search_whole(*arguments, **options)
        circuit = replace(result.circuit, outputs=result.circuit.outputs[::-1])
        return replace(result, circuit=circuit)

    monkeypatch.setattr(module, "search_whole", spoiled)
    with pytest.raises(AssertionError, match="does not compute the same"):
        minimise("mul:2", evaluations=1000, seed=1)


def test_what_is_found_can_be_saved(tmp_path):
    found = minimise("mux:2", evaluations=10_000, seed=1)
    found.circuit.save(tmp_path / "mux.blif")
    assert matches(read_file(tmp_path / "mux.blif"), target("mux:2"))
    assert repr(found) == "<Minimised mux:2: 4 -> 3 gates, equal on all 8 rows>"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seconds": 0}, "seconds"),
        ({"seconds": float("nan")}, "seconds"),
        ({"seconds": float("inf")}, "seconds"),
        ({"evaluations": 0}, "evaluations"),
        ({"evaluations": 1, "slack": -1}, "slack"),
        ({"evaluations": 1, "runs": 0}, "runs"),
        ({"evaluations": 1, "jobs": 0}, "jobs"),
        ({"evaluations": 1, "seed": -1}, "seed"),
        ({"evaluations": 1, "nodes": 0, "method": "cgp"}, "nodes"),
        ({"evaluations": 1, "nodes": 50}, "method cgp"),
        ({"evaluations": 1, "method": "sat"}, "method"),
        ({"evaluations": 1, "method": "resubstitution", "gates": "mux,and,not"}, "one or two inputs"),
        ({"evaluations": 1, "gates": "and,or"}, "cannot"),
        ({"evaluations": 1, "cost": "speed"}, "cost"),
        ({"evaluations": 1, "mutation": "sum", "method": "cgp"}, "mutation"),
    ],
)
def test_bad_options_are_named_in_one_line(options, words):
    with pytest.raises(InputError, match=words) as caught:
        minimise("xor:3", **options)
    assert "\n" not in str(caught.value)


# The circuits that are kept with the benchmarks.
RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
RECORDS = [json.loads(line) for line in (RESULTS / "synthesis.jsonl").read_text().splitlines()]
STORED = [record for record in RECORDS if record.get("method") == "resubstitution"]


@pytest.mark.parametrize("record", STORED, ids=lambda record: f"{record['target']}-{record['gates']}")
def test_a_stored_circuit_is_right_and_as_small_as_is_said(record):
    name, gates = str(record["target"]), str(record["gates"])
    circuit = read_file(RESULTS / "circuits" / f"{name.replace(':', '')}-{gates}.blif")
    assert len(circuit) == record["gatewalk"]
    assert {node.gate for node in circuit.nodes} <= set(basis(gates).gates)
    verdict = matches(circuit, target(name))
    assert verdict
    assert verdict.proof


def test_multipliers_are_smaller_than_those_known_before():
    sizes = {(record["target"], record["gates"]): record["gatewalk"] for record in STORED}
    assert sizes["mul:3", "any"] == 23
    assert sizes["mul:4", "any"] <= 57
