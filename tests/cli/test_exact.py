"""`gatewalk exact`: keys, numbers, extras, sampled sets, refusals, Ctrl-C."""

import json
import re
import sys

import edges
import pytest
from command import call, record
from processes import interrupted
from refusals import refused

from gatewalk.search.options import search_for
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
SETTINGS = ["algorithm", "law_options", "training", "gate_set", "mutation", "offspring", "start", "uncounted"]


def run(capsys, *arguments):
    return call(capsys, "exact", *arguments)


def test_contract(capsys):
    found = record(capsys, "exact", "and:4", "--nodes", "n-1", "--selection", "strict")
    assert list(found) == KEYS + SETTINGS
    assert (found["n"], found["nodes"], found["states"]) == (4, 3, 100_800)
    assert round(found["expected_iterations"]) == 2192


@pytest.mark.parametrize(
    ("options", "words", "values", "expected"),
    [
        ([], "lambda 1, nonstrict, paper, complete", {}, 11.946157),
        (
            ["--option", "ties=coin", "--lambda", "4"],
            "sam, lambda 4, nonstrict, paper, ties=coin, complete",
            {"law_options": '{"ties": "coin"}', "offspring": 4},
            15.66,
        ),
        (["--mutation", "point:2"], "D = 3, point:2, lambda 1", {"mutation": "point:2"}, 26.07),
        (["--gates", "and,or"], "gates and,or, D = 3", {"gate_set": "and,or"}, 34.39),
    ],
)
def test_the_answer_says_to_what_question(capsys, options, words, values, expected):
    given = ("and:3", "--nodes", "3", *options)
    answer = record(capsys, "exact", *given)
    assert answer["expected_iterations"] == pytest.approx(expected, abs=0.005)
    run_of = record(capsys, "evolve", *given, "--budget", "1")
    shared = {key: run_of[key] for key in SETTINGS if key != "uncounted"}
    assert shared == {key: answer[key] for key in shared} | values
    _, out, _ = run(capsys, *given)
    header = out.splitlines()[0]
    assert header.startswith("and:3, cgp, gates and")
    assert words in header


def test_trees_say_what_they_are(capsys):
    answer = record(capsys, "exact", "and:3", "--algorithm", "tgp-multi", "--option", "substitution=off")
    assert (answer["algorithm"], answer["nodes"], answer["mutation"]) == ("tgp-multi", None, None)
    assert answer["law_options"] == '{"substitution": "off"}'


def test_t_and_what_the_profile_reports_are_kept_apart(capsys):
    trees = ("and:4", "--algorithm", "tgp-single", "--profile", "tinyverse")
    reported = record(capsys, "exact", *trees)
    assert reported["expected_iterations"] == pytest.approx(21)
    assert reported["uncounted"] == 1
    bound = record(capsys, "bounds", "and:4")
    assert bound["tgp_single_tinyverse"] == pytest.approx(22)
    assert "T - 1" in bound["notes"]["tgp_single_tinyverse"]
    _, out, _ = run(capsys, *trees)
    rows = dict(re.split(r" {2,}", line) for line in out.splitlines() if "  " in line)
    assert rows["expected iterations, T − 1"] == "21.000000"
    assert rows["expected T, every offspring counted"] == "22.000000"
    assert "reports T − 1 iterations" in out
    _, out, _ = run(capsys, "and:3", "--nodes", "3")
    assert "T − 1" not in out
    _, out, _ = run(capsys, "and:2", "--nodes", "2", "--option", "uncounted=2")
    assert "reports T − 2 iterations" in out
    assert "expected T," not in out


def test_more_are_counted_whatever_the_start(capsys):
    """E[T] = E[max(0, T - 1)] + P(T > 0)."""
    given = ("xor:2", "--nodes", "2")
    all_counted = record(capsys, "exact", *given)["expected_iterations"]
    _, out, _ = run(capsys, *given, "--option", "uncounted=1")
    assert re.search(rf"expected T, every offspring counted +{all_counted:.6f}$", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "nodes"),
    [
        (["and:4"], 3),
        (["xor:3"], 2),
        (["nand:3"], 2),
        (["and:3", "--gates", "or,and,not"], 2),
        (["parity:3", "--gates", "xor"], 2),
        (["and:1"], 1),
        (["and:3", "--mutation", "point:50%"], 2),
        (["and:4", "--start", "penultimate"], 3),
    ],
)
def test_the_default_is_the_fewest_nodes_that_suffice(capsys, arguments, nodes):
    answer = record(capsys, "exact", *arguments)
    assert answer["nodes"] == nodes
    assert answer["expected_iterations"] != "inf"
    assert answer == record(capsys, "exact", *arguments, "--nodes", str(nodes))
    _, out, _ = run(capsys, *arguments)
    assert f"D = {nodes}, the fewest nodes" in out
    _, out, _ = run(capsys, *arguments, "--nodes", str(nodes))
    assert "the fewest nodes" not in out


def test_a_start_has_a_time_of_its_own(capsys, tmp_path):
    """Theorem 4 gives the time from a penultimate program, under strict selection."""
    given = ("and:4", "--selection", "strict", "--start", "penultimate")
    answer = record(capsys, "exact", *given)
    assert answer["start"] == record(capsys, "evolve", *given, "--nodes", "3", "--budget", "1")["start"]
    stated = record(capsys, "bounds", *given, "--nodes", "3")["theorem4_expected"]
    assert answer["expected_iterations"] == pytest.approx(stated, rel=1e-9)
    assert answer["expected_iterations"] == pytest.approx(answer["worst_start_expected"], rel=1e-9)
    assert answer["p_solved_at_start"] == 0.0
    _, out, _ = run(capsys, *given, "--quantiles", "0.5")
    assert "start genes:0,0,1" in out.splitlines()[0]
    assert "expected iterations from this start" in out
    assert record(capsys, "exact", "and:4", "--selection", "strict")["start"] == "random"


def test_operators_of_a_file(capsys):
    own = ["--mutation", f"{edges.__file__}:sam_edges", "--selection", f"{edges.__file__}:biased_ties"]
    found = record(capsys, "exact", "and:3", "--nodes", "2", *own, "--tail", "100")
    assert list(found) == [*KEYS, *SETTINGS, "tail"]
    assert (found["mutation"], found["selection"]) == ("sam-edges", "biased-ties")
    assert found["expected_iterations"] == pytest.approx(33.92466598771921, rel=1e-12)
    status, out, _ = run(capsys, "and:3", "--nodes", "2", *own)
    assert status == 0
    assert "33.924666" in out
    assert "Theorem" not in out
    refused(
        capsys, "exact", "and:3", *own, "--levels", naming=["--levels is for --mutation sam, not sam-edges"]
    )


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
    search = search_for("and:3", nodes=2, start=str(genes))
    assert list(search.start) == found["worst_start"]


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
        (["and:8"], ("and:8 with 7 nodes", "genotypes", "no number of nodes that could do takes less")),
        (["and:8", "--nodes", "16"], ("and:8", "6.3e38 genotypes")),
        (["and:6", "--nodes", "9"], ("9 nodes", "6 nodes", "up to 5 take about a minute")),
        (["xor:4", "--nodes", "12"], ("12 nodes", "up to 5 take about a minute")),
        (["and:4", "--nodes", "5", "--mutation", "point:2"], ("states", "up to 4 take about a minute")),
        (["maj:3"], ("maj:3", "--nodes", "up to 4 take about a minute")),
        (["maj:3", "--start", "genes:0"], ("maj:3", "--nodes")),
        (["and:3", "--gates", "nand"], ("and:3", "gates nand", "--nodes")),
        (["and:4", "--profile", "tinyverse"], ("no node reads x1", "--nodes")),
        (["mul:2"], ("mul:2", "--nodes")),
        (["and:3", "--start", "nowhere"], ("nowhere",)),
        (["and:3", "--start", "penultimate", "--rational"], ("random starts",)),
        (["and:3", "--start", "penultimate", "--algorithm", "tgp-single"], ("--start",)),
        (["and:3", "--start", "penultimate", "--training", "sample"], ("--start", "--training complete")),
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
    for line in (first, second, means, one):
        assert line["training"] == "sample:4"
        assert set(SETTINGS) < set(line)
    code, out, _ = call(capsys, "exact", *asked, "--sets", "2")
    assert code == 0
    assert "and:3, cgp, gates and, D = 2, sam, lambda 1, nonstrict, paper, sample:4, seed 1" in out
    assert "means over 2 sets" in out
    assert "level ever drops" in out


def test_ctrl_c_ends_it_at_once():
    command = [sys.executable, "-m", "gatewalk", "exact", "and:5", "--nodes", "6"]  # minutes
    code, out, err = interrupted(command, lambda process: "solving and:5" in process.err)
    assert (code, out) == (130, "")
    assert err.splitlines()[-1] == "gatewalk: interrupted"
    assert "Traceback" not in err
