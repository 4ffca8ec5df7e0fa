"""Smaller circuits: known sizes are reached, every result is proven, and seeds give them again."""

import json
import random
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from processes import LIMIT

from gatewalk.boolean.table_targets import table_target
from gatewalk.cgp.mutations.point import Point
from gatewalk.circuit.construction import target_circuit
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.files import read_file
from gatewalk.circuit.own_targets import target
from gatewalk.errors import InputError
from gatewalk.synthesis import minimisation, searchers
from gatewalk.synthesis.free_inverters import FREE, counted_gates
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.minimisation import minimise
from gatewalk.synthesis.options import basis, start_of
from gatewalk.synthesis.searchers import search_cheaper


@pytest.mark.parametrize(("method", "evaluations"), [("resubstitution", 20_000), ("cgp", 300_000)])
def test_known_sizes_are_reached(method, evaluations):
    # Any two gates: a full adder takes 5, mul:2 takes 7, a sum of two 2-bit numbers 5 · 2 - 3.
    for name, size in (("onescount:3", 5), ("mul:2", 7), ("sum:2", 7)):
        result = minimise(name, method=method, evaluations=evaluations, seed=1)
        assert result.record["method"] == method
        assert len(result.circuit) == size
        assert equivalent(result.circuit, target(name))
        assert result.record["proven"] is True
        assert result.record["gates_after"] == size


def test_the_three_bit_multiplier_has_23_gates():
    result = minimise("mul:3", evaluations=3_000_000, seed=1)
    assert len(result.circuit) == 23
    assert equivalent(result.circuit, target("mul:3"))


@pytest.mark.parametrize("method", ["resubstitution", "cgp"])
def test_the_result_depends_on_the_seed_and_not_on_the_threads(method):
    def minimised(jobs, seed):
        result = minimise("mcomp:2", method=method, evaluations=30_000, runs=3, jobs=jobs, seed=seed)
        return result.circuit, result.evaluations

    assert minimised(1, 5) == minimised(2, 5) == minimised(3, 5)
    assert minimised(1, 5) != minimised(1, 6)


def test_it_stops_at_a_lower_bound():
    result = minimise("xor:5", evaluations=10**9, seed=1)
    assert len(result.circuit) == 4
    assert result.is_optimal
    assert result.evaluations < 10**6
    assert "no smaller circuit" in str(result)


def test_a_proof_that_no_circuit_is_smaller():
    result = minimise("maj:3", evaluations=50_000, seed=1, prove=True)
    assert len(result.circuit) == 4
    assert result.is_optimal
    assert result.bound is not None
    assert "SAT refutes circuits of 3 gates" in result.bound.reason


def test_a_proof_takes_half_of_the_seconds_and_shows_progress(monkeypatch):
    asked, told = [], []
    proof = minimisation.proof_of_size

    def noted(*arguments, seconds, **options):
        asked.append(seconds)
        return proof(*arguments, seconds=seconds, **options)

    monkeypatch.setattr(minimisation, "proof_of_size", noted)
    common = {"evaluations": 20_000, "seed": 1, "prove": True}
    minimise("maj:3", seconds=LIMIT, on_progress=lambda *news: told.append(news), **common)
    minimise("maj:3", **common)
    assert asked == [LIMIT / 2, minimisation.PROOF_SECONDS]
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert (0.5, "proof: are 2 gates enough?") in [(round(share, 1), words) for share, words in told]


@pytest.mark.parametrize(
    ("what", "options", "words"),
    [
        ("and:9", {}, "up to 8 inputs, not 9"),
        ("and:3", {"cost": "depth"}, "only a number of gates"),
    ],
)
def test_a_proof_that_cannot_be_had_is_refused_before_the_search(what, options, words):
    with pytest.raises(InputError, match=words):
        minimise(what, evaluations=10**12, prove=True, **options)


def test_the_start_is_counted_in_the_gates_of_the_result():
    record = minimise("add:2", gates="nand", evaluations=10, seed=1).record
    assert len(target_circuit(target("add:2"))) < record["gates_after"] <= record["gates_before"]


def test_a_large_circuit_of_few_inputs_is_searched_as_a_whole_with_more_slack():
    large = table_target([random.Random(1).getrandbits(256)], 8)
    result = minimise(large, cost="gates,depth", evaluations=200, runs=1)  # windows cannot count depth
    assert result.record["gates_before"] > 150
    assert result.record["slack"] == 12
    assert minimise("alu:8", evaluations=10, runs=1).record["slack"] == 4


def test_a_proof_may_find_a_smaller_circuit():
    result = minimise("mul:2", evaluations=1, runs=1, prove=True, gates="and,xor,nimply")
    assert len(result.circuit) <= 8
    assert equivalent(result.circuit, target("mul:2"))
    assert result.bound is not None
    assert result.bound.gates <= len(result.circuit)


@pytest.mark.parametrize(
    ("gates", "cost"), [("nand", "gates"), ("aig", "gates,depth"), ("nand,not,xor", "nand=1,not=0.5,xor=2.5")]
)
def test_gates_and_costs_are_honoured(gates, cost):
    result = minimise("onescount:3", gates=gates, cost=cost, evaluations=200_000, seed=1)
    assert {node.gate for node in result.circuit.nodes} <= set(result.gates.gates)
    assert equivalent(result.circuit, target("onescount:3"))
    if gates == "nand":
        assert len(result.circuit) == 9  # the full adder of nine nand gates
    if gates == "aig":
        assert (len(result.circuit), result.cost) == (7, pytest.approx(7, abs=1e-3))
    if cost.startswith("nand="):
        assert result.cost == result.circuit.cost({"nand": 1, "not": 0.5, "xor": 2.5})


def test_rows_that_do_not_matter_are_made_use_of(tmp_path):
    path = tmp_path / "digit.pla"
    # Is a decimal digit above 4? For 10 to 15 it does not matter.
    rows = [
        f"{row & 1}{row >> 1 & 1}{row >> 2 & 1}{row >> 3} {'-' if row > 9 else int(row > 4)}"
        for row in range(16)
    ]
    path.write_text("\n".join([".i 4", ".o 1", ".type fd", *rows, ".e"]))
    result = minimise(path, evaluations=100_000, seed=1)
    assert len(result.circuit) == 3  # or(x3, and(x2, or(x0, x1)))
    assert str(result.verdict) == "equal on all 10 rows that count"
    assert equivalent(result.circuit, target(str(path)))


def test_windows_of_a_large_circuit_shrink_it_and_it_is_proven_by_sat():
    wide = mapped(target_circuit(target("add:13")), basis("nand"))  # 27 inputs, 11 gates for each bit
    result = minimise(wide, evaluations=2_000_000, runs=1, seed=1)
    assert result.verdict.method == "sat"
    assert len(wide) == 11 * 13
    assert len(result.circuit) < 100
    assert equivalent(result.circuit, wide)


def test_a_circuit_that_does_not_become_smaller_stays_as_it_was():
    adder = target_circuit(target("add:12")).simplify()  # 25 inputs: windows; smaller ones are not known
    result = minimise(adder, evaluations=200_000, runs=1, seed=1)
    assert len(result.circuit) == len(adder) == 5 * 12
    assert result.circuit.depth == adder.depth


@pytest.mark.parametrize("method", ["resubstitution", "cgp"])
def test_windows_give_the_same_circuit_whatever_the_threads(method, monkeypatch):
    for most in ("MOST_WHOLE", "MOST_WHOLE_OF_FEW_INPUTS"):
        monkeypatch.setattr(searchers, most, 10)
    options = {"method": method, "evaluations": 150_000, "runs": 2, "seed": 3}
    results = [minimise("alu:2", jobs=jobs, **options).circuit for jobs in (1, 2)]
    assert results[0] == results[1]
    assert equivalent(results[0], target("alu:2"))


def test_a_mutation_may_be_a_value():
    options = {"method": "cgp", "evaluations": 20_000, "seed": 2}
    by_value, by_text = (
        minimise("maj:5", mutation=mutation, **options) for mutation in (Point(3), "point:3")
    )
    assert by_value.circuit == by_text.circuit != minimise("maj:5", **options).circuit


def test_progress_is_a_share_and_words():
    told = []
    minimise(
        "mul:2", evaluations=20_000, seed=1, on_progress=lambda share, words: told.append((share, words))
    )
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert told[-1][1] == "7 gates, 40,000 circuits tried"


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("what", "method"), [("mul:4", "resubstitution"), ("mul:4", "cgp"), ("alu:8", "auto")]
)
def test_at_ctrl_c_the_best_circuit_so_far_is_proven(what, method, jobs):
    start = start_of(what)
    told, asked = [], []

    def interrupt(share, words):
        told.append(int(words.split()[0]))
        if told[-1] < told[0] and not asked:
            asked.append(share)
            signal.raise_signal(signal.SIGINT)

    result = minimise(what, method=method, seconds=LIMIT, jobs=jobs, runs=2, seed=1, on_progress=interrupt)
    assert result.interrupted
    assert result.record["proven"] is True
    assert len(result.circuit) < told[0]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert equivalent(result.circuit, start.circuit)


def test_at_ctrl_c_during_the_proof_of_size_nothing_is_lost(monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(minimisation, "proof_of_size", interrupted)
    result = minimise("maj:3", evaluations=50_000, seed=1, prove=True)
    assert (len(result.circuit), result.interrupted, result.record["proven"]) == (4, True, True)


def test_nothing_unproven_is_returned(monkeypatch):
    def spoiled(*arguments, **options):
        result = search_cheaper(*arguments, **options)
        circuit = replace(result.circuit, outputs=result.circuit.outputs[::-1])
        return replace(result, circuit=circuit)

    monkeypatch.setattr(minimisation, "search_cheaper", spoiled)
    with pytest.raises(AssertionError, match="does not compute the same"):
        minimise("mul:2", evaluations=1000, seed=1)


def test_what_is_found_can_be_saved(tmp_path):
    result = minimise("mux:2", evaluations=10_000, seed=1)
    result.circuit.save(tmp_path / "mux.blif")
    assert equivalent(read_file(tmp_path / "mux.blif"), target("mux:2"))
    assert repr(result) == "<Minimised mux:2: 4 -> 3 gates, equal on all 8 rows>"


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
        ({"evaluations": 1, "mutation": "sum"}, "mutation: for the method cgp only"),
        ({"evaluations": 1, "offspring": 0, "method": "cgp"}, "lambda is 0"),
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
    assert len(counted_gates(circuit) if gates == "aig" else circuit) == record["gatewalk"]
    assert {node.gate for node in circuit.nodes} <= {*basis(gates).gates, *(FREE if gates == "aig" else ())}
    verdict = equivalent(circuit, target(name))
    assert verdict
    assert verdict.proof


TABLES = [json.loads(line) for line in (RESULTS / "tables.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    "record", [record for record in TABLES if "table" in record], ids=lambda r: r["function"]
)
def test_a_best_known_circuit_of_a_table_is_right_and_as_small_as_is_said(record):
    circuit = read_file(RESULTS / "tables" / f"{record['function']}.aag")
    assert equivalent(circuit, target(record["table"]))
    assert len(counted_gates(circuit)) == record["best_known"]


def test_multipliers_are_smaller_than_those_known_before():
    sizes = {(record["target"], record["gates"]): record["gatewalk"] for record in STORED}
    assert sizes["mul:3", "any"] == 23
    assert sizes["mul:4", "any"] <= 57
