"""`gatewalk exact`: keys, numbers, extras, sampled sets, refusals, Ctrl-C."""

import json
import sys

import pytest
from command import call, record
from processes import interrupted
from refusals import refused

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


def run(capsys, *arguments):
    return call(capsys, "exact", *arguments)


def test_contract(capsys):
    found = record(capsys, "exact", "and:4", "--nodes", "n-1", "--selection", "strict")
    assert list(found) == KEYS
    assert (found["n"], found["nodes"], found["states"]) == (4, 3, 100_800)
    assert round(found["expected_iterations"]) == 2192


def test_infinite_is_a_text(capsys):
    found = record(
        capsys, "exact", "and:3", "--nodes", "3", "--profile", "tinyverse", "--selection", "strict"
    )
    assert found["expected_iterations"] == found["std_iterations"] == found["worst_start_expected"] == "inf"
    assert found["p_never"] == pytest.approx(0.13264, abs=1e-4)


def test_extras(capsys):
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
def test_quantiles_and_tails_of_every_mutation(capsys, mutation, offspring):
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
    assert "probability of needing more than 1,000" in out


def test_the_worst_start_of_other_mutations(capsys, tmp_path):
    genes = tmp_path / "worst.json"
    found = record(capsys, "exact", "and:2", "--nodes", "2", "--mutation", "point:1", "--out", str(genes))
    assert json.loads(genes.read_text()) == {"genes": found["worst_start"]}


def test_levels_and_the_worst_start(capsys):
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


def test_the_worst_start_as_a_file(capsys, tmp_path):
    picture, genes = tmp_path / "worst.svg", tmp_path / "worst.json"
    found = record(capsys, "exact", "and:3", "--nodes", "2", "--out", str(picture))
    assert picture.read_text().startswith("<svg")
    run(capsys, "and:3", "--nodes", "2", "--out", str(genes))
    assert json.loads(genes.read_text()) == {"genes": found["worst_start"]}
    made = settings("and:3", nodes=2, start=str(genes))
    assert start_genes(made.start) == found["worst_start"]


def test_numbers_that_are_only_enclosed_are_shown_as_intervals(capsys, monkeypatch):
    monkeypatch.setattr("gatewalk.theory.chain.trees.MOST_STATES", 50)
    given = ["and:5", "--algorithm", "tgp-single"]
    _, out, _ = run(capsys, *given)
    rows = dict(line.rsplit("  ", 1) for line in out.splitlines() if " to " in line)
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
def test_other_searches(capsys, arguments):
    assert record(capsys, "exact", *arguments)["expected_iterations"] > 0
    assert run(capsys, *arguments)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["and:8"], ("and:8", "6.3e38 genotypes")),
        (["and:6", "--nodes", "9"], ("9 nodes", "6 nodes")),
        (["and:4", "--nodes", "4", "--memory", "0.001"], ("--memory 0.001",)),
        (["and:9", "--nodes", "11"], ("--memory 16",)),
        (["and:3", "--memory", "nan"], ("--memory", "nan")),
        (["and:3", "--memory", "-1"], ("--memory", "-1")),
        (["and:3", "--quantiles", "2"], ("--quantiles", "'2'", "[0, 1)")),
        (["and:3", "--quantiles", "a"], ("--quantiles", "'a'", "[0, 1)")),
        (["and:3", "--tail", "-1"], ("--tail", "'-1'", "whole numbers")),
        (["and:3", "--tail", "9,"], ("--tail", "'9,'", "whole numbers")),
        (["and:3", "--lambda", "1000000000000"], ("--lambda", "1000000000000", "at most")),
        (["and:2", "--nodes", "1", "--quantiles", "0.5", "--lambda", "20000"], ("10,000 offspring",)),
        (["and:2", "--nodes", "1", "--rational", "--option", "starts=1000"], ("100 random starts",)),
        (["and:3", "--algorithm", "tgp-single", "--levels"], ("--levels", "--mutation sam")),
        (["and:3", "--nodes", "2", "--mutation", "point:1", "--levels"], ("--levels", "point:1")),
        (["and:3", "--algorithm", "tgp-single", "--tail", "9"], ("cgp",)),
        (["and:3", "--algorithm", "tgp-single", "--out", "worst.svg"], ("cgp",)),
        (["nand:2", "--nodes", "1", "--gates", "and", "--rational"], ("infinite",)),
        (["and:3", "--nodes", "2", "--out", "worst.txt"], ("worst.txt", ".svg")),
        (["and:3", "--training", "sample", "--levels"], ("--levels", "--training complete")),
        (["and:3", "--training", "sample", "--sets", "0"], ("--sets", "0", "at least 1")),
    ],
)
def test_refusals(capsys, tmp_path, monkeypatch, arguments, names):
    monkeypatch.chdir(tmp_path)
    refused(capsys, "exact", *arguments, naming=names)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("options", [[], ["--selection", "strict"], ["--option", "ties=coin"]])
def test_a_million_offspring(capsys, options):
    # From the start, or from almost any program, a single generation finds the optimum.
    found = record(capsys, "exact", "and:2", "--nodes", "2", "--lambda", "1000000", *options)
    few = record(capsys, "exact", "and:2", "--nodes", "2", "--lambda", "1000", *options)
    assert found["expected_iterations"] == pytest.approx(few["expected_iterations"], rel=1e-9)
    assert found["std_iterations"] == pytest.approx(few["std_iterations"], rel=1e-9)


def test_many_starts(capsys):
    found = record(capsys, "exact", "and:2", "--nodes", "2", "--option", "starts=1000000000")
    assert found["expected_iterations"] == pytest.approx(0.0, abs=1e-12)
    assert found["p_solved_at_start"] == 1.0


def test_what_never_ends_has_no_mean(capsys):
    found = record(capsys, "exact", "and:3", "--nodes", "1")
    assert (found["p_never"], found["expected_if_solved"]) == (1.0, None)
    status, out, _ = run(capsys, "and:3", "--nodes", "1")
    assert status == 0
    assert "never being solved" in out


def test_sampled_sets(capsys):
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


def test_ctrl_c_ends_it_at_once():
    command = [sys.executable, "-m", "gatewalk", "exact", "and:5", "--nodes", "6"]  # minutes
    code, out, err = interrupted(command, lambda process: "solving and:5" in process.err)
    assert (code, out) == (130, "")
    assert err.splitlines()[-1] == "gatewalk: interrupted"
    assert "Traceback" not in err
