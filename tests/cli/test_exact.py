"""`gatewalk exact`: keys, numbers, extras and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import call, record

from gatewalk.search.settings import settings
from gatewalk.search.start import start_genes
from gatewalk.theory import exact

KEYS = [
    "target",
    "n",
    "nodes",
    "selection",
    "profile",
    "states",
    "classes",
    "expected_iterations",
    "std_iterations",
    "worst_start_expected",
    "p_solved_at_start",
]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return call(capsys, "exact", *arguments)


def test_contract(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, "exact", "and:4", "--nodes", "n-1", "--selection", "strict")
    assert list(found) == KEYS
    assert (found["n"], found["nodes"], found["states"]) == (4, 3, 100_800)
    assert round(found["expected_iterations"]) == 2192


def test_infinite_is_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(
        capsys, "exact", "and:3", "--nodes", "3", "--profile", "tinyverse", "--selection", "strict"
    )
    assert found["expected_iterations"] == found["std_iterations"] == found["worst_start_expected"] == "inf"
    assert found["p_never"] == pytest.approx(0.13264, abs=1e-4)


def test_extras(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["and:2", "--nodes", "2", "--levels", "--quantiles", "0.5,0.9", "--rational", "--full"]
    found = record(capsys, "exact", *given)
    assert found["classes"] == 105
    assert found["quantiles"] == {"0.5": 1, "0.9": 3}
    assert [level["fitness"] for level in found["levels"]] == [1]
    top, bottom = (int(part) for part in found["fraction"].split("/"))
    assert top / bottom == pytest.approx(found["expected_iterations"], rel=1e-12)
    status, out, _ = run(capsys, *given)
    assert status == 0
    for words in ("expected iterations", "Theorem 6", "free connection", found["fraction"]):
        assert words in out


@pytest.mark.parametrize("mutation", ["sam", "point:2", "rate:0.25"])
@pytest.mark.parametrize("offspring", ["1", "3"])
def test_quantiles_and_tails_of_every_mutation(
    capsys: pytest.CaptureFixture[str], mutation: str, offspring: str
) -> None:
    given = ["and:2", "--nodes", "2", "--mutation", mutation, "--lambda", offspring]
    found = record(capsys, "exact", *given, "--quantiles", "0.5,0.9", "--tail", "0,5,1000")
    tail = found["tail"]
    assert list(tail) == ["0", "5", "1000"]
    assert tail["0"] == pytest.approx(1 - found["p_solved_at_start"], rel=1e-12)
    assert 0.5 > tail["5"] > tail["1000"] >= 0
    median = str(found["quantiles"]["0.5"])
    assert record(capsys, "exact", *given, "--tail", median)["tail"][median] <= 0.5
    assert "quantiles" not in record(capsys, "exact", *given, "--tail", "5")
    status, out, _ = run(capsys, *given, "--tail", "1000")
    assert status == 0
    assert "probability to need more than 1,000" in out


def test_the_worst_start_of_other_mutations(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    genes = tmp_path / "worst.json"
    found = record(capsys, "exact", "and:2", "--nodes", "2", "--mutation", "point:1", "--out", str(genes))
    assert json.loads(genes.read_text()) == {"genes": found["worst_start"]}


def test_levels_and_the_worst_start(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("and:3", "--nodes", "2", "--selection", "strict", "--levels")
    found = record(capsys, "exact", *given)
    assert [(one["level"], one["fitness"]) for one in found["levels"]] == [(1, 3), (2, 1)]
    spent = sum(one["free"] + one["bound"] for one in found["levels"])
    assert spent == pytest.approx(found["expected_iterations"], rel=1e-9)
    solved = exact("and:3", nodes=2, selection="strict")
    assert solved.expected_from(found["worst_start"]) == pytest.approx(found["worst_start_expected"])
    _, out, _ = run(capsys, *given)
    table = out[out.index("expected iterations at i-") :]
    assert [line.split()[0] for line in table.splitlines()[1:4]] == ["level", "1", "2"]
    assert "Theorem 3: at most" in table
    assert "Theorem 6: at most" not in table  # strict
    assert "the worst start, genes:" + ",".join(map(str, found["worst_start"])) in table
    assert "(unread)" in table  # the inactive node
    other = record(capsys, "exact", "xor:2", "--nodes", "2", "--levels")
    assert [(one["level"], one["fitness"]) for one in other["levels"]] == [(None, 2)]
    _, out, _ = run(capsys, "xor:2", "--nodes", "2", "--levels")
    assert "fitness" in out


def test_the_worst_start_as_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture, genes = tmp_path / "worst.svg", tmp_path / "worst.json"
    found = record(capsys, "exact", "and:3", "--nodes", "2", "--out", str(picture))
    assert picture.read_text().startswith("<svg")
    run(capsys, "and:3", "--nodes", "2", "--out", str(genes))
    assert json.loads(genes.read_text()) == {"genes": found["worst_start"]}
    made = settings("and:3", nodes=2, start=str(genes))
    assert start_genes(made.start) == found["worst_start"]
    for arguments, words in (
        (["and:3", "--nodes", "2", "--out", "worst.txt"], ".svg"),
        (["and:3", "--nodes", "2", "--out", "no/such/worst.svg"], "no folder"),
        (["and:3", "--algorithm", "tgp-single", "--out", str(picture)], "for cgp only"),
    ):
        status, out, err = run(capsys, *arguments)
        assert (status, out) == (2, "")
        assert words in err
        assert err.count("\n") == 1


def test_numbers_that_are_only_enclosed_are_shown_as_intervals(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gatewalk.theory.chain.tree_search.MOST_STATES", 50)
    given = ["and:5", "--algorithm", "tgp-single"]
    _, out, _ = run(capsys, *given)
    rows = dict(line.rsplit("  ", 1) for line in out.splitlines() if "to be" not in line and " to " in line)
    assert sorted(name.strip() for name in rows) == [
        "expected from the worst start",
        "expected iterations",
        "standard deviation",
    ]
    found = record(capsys, "exact", *given)
    assert found["error"] > 0
    assert found["std_error"] > 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["and:3", "--algorithm", "tgp-single"],
        ["and:2", "--nodes", "2", "--mutation", "rate:0.1"],
        ["and:2", "--nodes", "2", "--lambda", "3"],
        ["xor:2", "--nodes", "2", "--option", "ties=coin"],
    ],
)
def test_other_searches(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert record(capsys, "exact", *arguments)["expected_iterations"] > 0
    assert run(capsys, *arguments)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["and:8"], "6.3e38 genotypes"),
        (["and:6", "--nodes", "9"], "up to 6 nodes are possible"),
        (["and:4", "--nodes", "4", "--memory", "0.001"], "too many for --memory 0.001"),
        (["and:3", "--quantiles", "2"], "--quantiles"),
        (["and:3", "--memory", "nan"], "--memory is not a number"),
        (["and:3", "--memory", "-1"], "--memory"),
        (["and:3", "--lambda", "1000000000000"], "--lambda is 1000000000000; it must be at most"),
        (["and:3", "--quantiles", "a"], "--quantiles"),
        (["and:2", "--nodes", "1", "--quantiles", "0.5", "--lambda", "20000"], "up to 10,000 offspring"),
        (["and:2", "--nodes", "1", "--rational", "--option", "starts=1000"], "up to 100 random starts"),
        (["and:3", "--algorithm", "tgp-single", "--levels"], "--levels is for --mutation sam"),
        (["and:3", "--nodes", "2", "--mutation", "point:1", "--levels"], "not point:1"),
        (["and:3", "--algorithm", "tgp-single", "--tail", "9"], "for cgp only"),
        (["and:3", "--tail", "-1"], "--tail -1: give whole numbers"),
        (["and:3", "--tail", "9,"], "--tail 9,: give whole numbers"),
        (["and:9", "--nodes", "11"], "GB and too many for --memory 16"),
        (["nand:2", "--nodes", "1", "--gates", "and", "--rational"], "infinite"),
    ],
)
def test_errors_are_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert not out
    assert words in err.splitlines()[-1]


@pytest.mark.parametrize("options", [[], ["--selection", "strict"], ["--option", "ties=coin"]])
def test_a_million_offspring(capsys: pytest.CaptureFixture[str], options: list[str]) -> None:
    # From the start, or from almost any program, a single generation finds the optimum.
    found = record(capsys, "exact", "and:2", "--nodes", "2", "--lambda", "1000000", *options)
    few = record(capsys, "exact", "and:2", "--nodes", "2", "--lambda", "1000", *options)
    assert found["expected_iterations"] == pytest.approx(few["expected_iterations"], rel=1e-9)
    assert found["std_iterations"] == pytest.approx(few["std_iterations"], rel=1e-9)


def test_many_starts(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, "exact", "and:2", "--nodes", "2", "--option", "starts=1000000000")
    assert found["expected_iterations"] == pytest.approx(0.0, abs=1e-12)
    assert found["p_solved_at_start"] == 1.0


def test_what_never_ends_has_no_mean(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, "exact", "and:3", "--nodes", "1")
    assert (found["p_never"], found["expected_if_solved"]) == (1.0, None)
    status, out, _ = run(capsys, "and:3", "--nodes", "1")
    assert status == 0
    assert "never to be solved" in out
