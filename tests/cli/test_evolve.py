"""`gatewalk evolve` as a user meets it: summary, JSON, files, refusals, --watch, Ctrl-C."""

import json
import re
import sys
from dataclasses import replace

import pytest
from command import call, record, records
from processes import finished, interrupted
from refusals import refused
from rich.console import Console

from gatewalk.boolean.targets import family_target
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.files import read_file
from gatewalk.cli.evolve import LISTED_GATES, advice, circuit_text, outcome, show_runs, statistics
from gatewalk.search.evolve import evolve, run_many
from gatewalk.search.options import search_for
from gatewalk.search.runs import COLUMNS
from gatewalk.stats.resampling import quick_ert_interval
from gatewalk.stats.sample import sample

KEYS = {  # of the contract
    *("target", "algorithm", "n", "nodes", "selection", "profile", "training", "evaluation", "seed", "run"),
    *("iterations", "evaluations", "solved", "fitness", "gates", "generalisation", "seconds"),
}


def test_json_lines_have_a_value_for_every_column_and_nothing_else_is_printed(capsys):
    search = ("evolve", "and:4", "--runs", "5", "--seed", "2")
    lines = records(capsys, *search, "--jobs", "2")
    assert [list(line) for line in lines] == [[column.name for column in COLUMNS]] * 5
    assert lines[0].keys() >= KEYS
    assert [line["run"] for line in lines] == list(range(5))
    assert all(line["solved"] and line["fitness"] == 0 for line in lines)
    assert all(line["generalisation"] is None and line["n"] == 4 and line["nodes"] == 8 for line in lines)
    again = records(capsys, *search)
    for line in [*lines, *again]:
        del line["seconds"]
    assert lines == again


def test_every_evaluation_gives_the_same_run(capsys):
    iterations = set()
    for evaluation in ("auto", "table", "reference"):
        _, out, _ = call(capsys, "evolve", "and:3", "--seed", "4", "--json", "--evaluation", evaluation)
        iterations.add(json.loads(out)["iterations"])
    assert len(iterations) == 1


def test_a_person_sees_the_circuit_and_statistics(capsys):
    status, out, _ = call(capsys, "evolve", "xor:3", "--runs", "8")
    assert status == 0
    for words in ("8 of 8", "ERT", "median", "Kaplan-Meier", "y = ", "gate"):
        assert words in out


@pytest.mark.parametrize("suffix", [".json", ".blif"])
def test_the_circuit_written_computes_the_target(capsys, tmp_path, suffix):
    path = tmp_path / f"circuit{suffix}"
    gates = ["--gates", "and,or,xor,not", "--nodes", "30", "--seed", "1"]
    status, _, _ = call(capsys, "evolve", "sum:1", *gates, "--out", str(path))
    assert status == 0
    assert equivalent(read_file(path), family_target("sum:1"))


def test_dot_is_written(capsys, tmp_path):
    call(capsys, "evolve", "and:3", "--out", str(tmp_path / "c.dot"))
    assert (tmp_path / "c.dot").read_text().startswith("digraph")


def test_circuits_are_simplified_unless_asked_otherwise(capsys, tmp_path):
    search = ("evolve", "xor:2", "--gates", "nand", "--nodes", "12", "--seed", "3")
    path, whole = tmp_path / "simple.json", tmp_path / "whole.json"
    status, out, _ = call(capsys, *search, "--out", str(path))
    assert status == 0
    _, shown, _ = call(capsys, *search, "--as-is", "--out", str(whole))
    assert read_file(path) == read_file(whole).simplify()
    assert len(read_file(path)) < len(read_file(whole))
    assert f"simplified to {len(read_file(path))} gates" in out
    assert "simplified" not in shown


def evolved(*arguments):
    """Exit code, standard output and the lines of standard error of a process, without its progress."""
    done = finished([sys.executable, "-m", "gatewalk", "evolve", *map(str, arguments)])
    return done.returncode, done.stdout, [line for line in done.stderr.splitlines() if "gatewalk: " in line]


UNSOLVED = ("xor:6", "--nodes", "9", "--budget", "5", "--runs", "4", "--seed", "1")


def test_nothing_solved_is_exit_code_4_and_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "c.json"
    said = (
        f"gatewalk: nothing was solved: {path} is not written; the fittest circuit has 32 mismatches "
        "(--unsolved writes it)"
    )
    status, out, err = evolved(*UNSOLVED, "--out", path)
    assert (status, err) == (4, [said])
    assert out.startswith("4 runs\nsuccess    0 of 4")
    assert not path.exists()
    path.write_text("of another run")
    status, out, err = evolved(*UNSOLVED, "--out", path, "--json")
    assert (status, err) == (4, [said])
    assert [json.loads(line)["solved"] for line in out.splitlines()] == [False] * 4
    assert path.read_text() == "of another run"


def test_without_out_nothing_solved_is_done(capsys):
    assert call(capsys, "evolve", *UNSOLVED)[0] == 0


def test_an_unsolved_circuit_is_written_if_asked_for(tmp_path):
    path = tmp_path / "c.json"
    status, _, err = evolved(*UNSOLVED, "--out", path, "--unsolved")
    assert (status, err) == (0, [f"gatewalk: warning: the circuit in {path} still has 32 mismatches"])
    assert not equivalent(read_file(path), family_target("xor:6"))


def test_of_several_runs_the_smallest_solved_circuit_is_written(capsys, tmp_path):
    path = tmp_path / "c.json"
    search = ("evolve", "mul:2", "--runs", "6", "--budget", "4500", "--seed", "3")
    lines = records(capsys, *search, "--out", path, "--as-is")
    gates = [line["gates"] for line in lines if line["solved"]]
    assert 0 < len(gates) < 6
    assert min(line["gates"] for line in lines) < min(gates)  # the smallest of all is not solved
    assert len(read_file(path)) == min(gates)
    assert equivalent(read_file(path), family_target("mul:2"))


def test_a_watched_run_is_written_although_it_is_not_solved(tmp_path):
    page, circuit = tmp_path / "run.html", tmp_path / "c.json"
    search = ("xor:6", "--nodes", "9", "--budget", "5", "--watch", page)
    status, _, err = evolved(*search, "--out", circuit)
    assert status == 4
    assert len(err) == 1
    assert err[0].startswith(f"gatewalk: nothing was solved: {circuit} is not written")
    assert page.read_text().startswith("<!doctype html>")
    assert not circuit.exists()


def test_a_budget_that_is_not_a_million_is_said_before_the_run(capsys):
    said = "budget: 50,000,000 iterations, the default for mul:2 (--budget sets it)"
    _, out, err = call(capsys, "evolve", "mul:2", "--json")
    assert err.splitlines()[0] == said
    assert "budget: " not in out
    for quiet in (("and:3",), ("mul:2", "--budget", "60000"), ("mul:2", "--budget", "50000000")):
        assert "budget: " not in call(capsys, "evolve", *quiet)[2]


def shown(what):
    console = Console(width=200, record=True, force_terminal=False)
    with console.capture() as captured:
        console.print(what)
    return captured.get()


def test_the_outcome_in_a_line():
    run = evolve("and:3", nodes=6, seed=3)
    assert outcome(run).plain.startswith(
        f"solved after {run.iterations:,} iterations with {run.gates} gates\n"
    )
    slow = replace(run, solved=False, fitness=1, iterations=1, gates=1, seconds=2.0)
    assert outcome(slow).plain.startswith("not solved: 1 mismatch left after 1 iteration with 1 gate\n")
    assert "iterations/s" in outcome(slow).plain
    assert "iterations/s" not in outcome(run).plain


def test_advice_follows_the_settings():
    strict = evolve("xor:4", nodes=4, selection="strict", budget=7, seed=1)
    assert advice(strict) == (
        "try --budget 70, --nodes 8, --selection nonstrict, another --seed, or --runs 10"
    )
    tree = evolve("and:3", algorithm="tgp-single", budget=3, seed=1)
    assert "--nodes" not in advice(tree)


def test_statistics_of_runs():
    runs = run_many(search_for("and:3", nodes=6), seed=3, runs=range(20), jobs=1)
    text = shown(statistics(runs))
    assert "20 of 20" in text
    band = quick_ert_interval(sample(runs.iterations, runs.solved))
    interval = f"95 %: {band.low:,.0f} to {band.high:,.0f}"
    assert f"{runs.iterations.mean():,.0f} iterations ({interval}; all iterations / successes)" in text
    assert "censored" not in text


def test_large_circuits_are_not_listed():
    circuit = evolve("and:3", nodes=6, seed=3).circuit
    assert "name  gate" in circuit_text(circuit).plain
    large = replace(circuit, nodes=circuit.nodes * LISTED_GATES)
    assert "name  gate" not in circuit_text(large).plain


def test_missing_runs_are_said(capsys):
    runs = run_many(search_for("and:3", nodes=6), seed=3, runs=range(2), jobs=1)
    show_runs(runs, planned=5, as_is=True)
    assert "2 of 5 runs finished; the rest are not included" in capsys.readouterr().out


def test_censored_runs_are_named(capsys):
    _, out, _ = call(capsys, "evolve", "xor:7", "--nodes", "6", "--runs", "3", "--budget", "50")
    assert "3 ran out of budget: runs 0, 1, 2" in " ".join(out.split())
    assert "more than the budget" in out


def test_the_summary_says_what_was_run_and_what_to_try(capsys):
    status, out, _ = call(
        capsys, "evolve", "xor:6", "--nodes", "9", "--budget", "1e2", "--mutation", "point:10%"
    )
    assert status == 0
    assert "gates xor, D = 9, point:3, lambda 1, nonstrict, paper, complete, budget 100" in out
    assert "try --budget 1000, --nodes 18, another --seed, or --runs 10" in out
    assert "--json" not in out


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["nand8"], ("'nand8'",)),
        (["and:0"], ("and:0", "size")),
        (["maj:40"], ("maj:40", "--training sample")),
        (["and:60", "--evaluation", "table"], ("and:60", "--training sample")),
        (["and:4", "--nodes", "9" * 5000], ("nodes", "2^16609 or more", "10,000,000")),
        (["and:4", "--training", "sample:" + "9" * 5000], ("2^16609 or more",)),
        (["and:4", "--option", "starts=" + "9" * 5000], ("starts", "2^16609 or more")),
        (["and:4", "--option", "starts=0"], ("starts", "0", "at least 1")),
        (["and:4", "--option", "starts=-5"], ("starts", "-5", "at least 1")),
        (["and:4", "--option", "levels_back=99999999999"], ("levels_back", "99999999999")),
        (["and:4", "--algorithm", "tgp-single", "--option", "size_limit=0"], ("size_limit", "0")),
        (["and:4", "--out", "circuit.xyz"], ("circuit.xyz", "'.xyz'", ".blif")),
        (["and:4", "--unsolved"], ("--unsolved", "--out FILE")),
        (["and:4", "--out", "circuit"], ("circuit", "no suffix", ".blif")),
        (["sum:1", "--algorithm", "tgp-single"], ("sum:1", "trees")),
        (["and:4", "--watch", "run.mp4"], ("run.mp4", ".html .svg .gif")),
        (["and:4", "--watch", "run.html", "--runs", "3"], ("--watch", "--runs 3")),
        (["and:4", "--watch", "run.html", "--algorithm", "tgp-multi"], ("--algorithm cgp",)),
        (["and:4", "--watch", "run.html", "--evaluation", "reference"], ("--evaluation reference",)),
        (["and:4", "--watch", "run.html", "--nodes", "20000"], ("watch",)),
        ([], ("TARGET",)),
    ],
)
def test_refusals(capsys, arguments, names):
    refused(capsys, "evolve", *arguments, naming=names)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["and:3", "--nodes", "2", "--profile", "tinyverse"], "with levels_back = 2 no node reads x1"),
        (["and:8", "--nodes", "5"], "at least 7 two-input gates; --nodes 5 is too few"),
        (["xor:3", "--gates", "and,or"], "makes only monotone functions"),
    ],
)
def test_what_cannot_be_found_is_not_searched_unless_asked_for(capsys, arguments, words):
    refused(capsys, "evolve", *arguments, "--budget", "10", naming=(words, "--anyway"))
    status, _, err = call(capsys, "evolve", *arguments, "--budget", "10", "--anyway")
    assert status == 0
    assert f"warning: {words.split()[0]}" in err or words in err


def test_a_function_of_ones_own_from_a_table_and_a_file(capsys, tmp_path):
    (tmp_path / "f.pla").write_text(".i 3\n.o 1\n.ilb a b c\n.ob y\n11- 1\n1-1 1\n-11 1\n.e\n")
    out_file = tmp_path / "f.v"
    status, _, err = call(capsys, "evolve", tmp_path / "f.pla", "--out", out_file, "--seed", "1")
    assert status == 0
    assert f"wrote {out_file}\n" in err
    assert read_file(out_file).input_labels == ("a", "b", "c")
    found = [
        json.loads(call(capsys, "evolve", what, "--seed", "1", "--json")[1])
        for what in (str(tmp_path / "f.pla"), "table:3:0xe8")
    ]
    assert found[0]["iterations"] == found[1]["iterations"]
    assert found[0]["target"] == "f@table:3:0xe8:a,b,c:y"


def test_a_search_begins_with_a_circuit(capsys, tmp_path):
    file = tmp_path / "and.blif"
    assert call(capsys, "evolve", "and:4", "--seed", "1", "--out", file)[0] == 0
    (found,) = [json.loads(call(capsys, "evolve", "and:4", "--start", file, "--json")[1])]
    assert (found["solved"], found["iterations"]) == (True, 0)
    refused(capsys, "evolve", "and:5", "--start", file, naming=("start", "4 inputs"))
    refused(capsys, "evolve", "and:4", "--start", file, "--gates", "or,nand", naming="--gates or,nand")


MAPPED = ".model m\n.inputs a b c\n.outputs y\n.gate maj A=a B=b C=c Y=y\n.end\n"
CELLS = "GATE maj 4 Y=A*B+A*C+B*C;\nGATE and2 1 Y=A*B;\nGATE or2 1 Y=A+B;\n"


def test_a_mapped_file_is_a_target_and_a_start(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.blif").write_text(MAPPED)
    (tmp_path / "cells.genlib").write_text(CELLS)
    options = ("--library", "cells.genlib", "--gates", "cells.genlib", "--json")
    found = json.loads(call(capsys, "evolve", "m.blif", "--start", "m.blif", *options)[1])
    assert (found["solved"], found["iterations"], found["gate_set"]) == (True, 0, "maj,and,or")
    assert found["target"] == "m@table:3:0xe8:a,b,c:y"
    for command in ("evolve", "exact", "bounds", "observe", "targets"):
        allowed = () if command == "targets" else ("--nodes", "2", "--gates", "and,or", "--json")
        more = ("--anyway", "--budget", "1") if command == "evolve" else ("--budget", "1")
        more = more if command in ("evolve", "observe") else ()
        assert call(capsys, command, "m.blif", "--library", "cells.genlib", *allowed, *more)[0] == 0
        refused(capsys, command, "m.blif", naming=("m.blif", "--library FILE"))
        refused(capsys, command, "maj:3", "--library", "cells.genlib", naming="--library cells.genlib")


def test_a_pla_of_too_many_inputs_says_what_to_do(capsys, tmp_path):
    path = tmp_path / "wide.pla"
    path.write_text(f".i 40\n.o 1\n{'1' * 40} 1\n{'-' * 39}0 -\n.e\n")
    refused(capsys, "evolve", path, naming=("wide", "2^40 rows", "--training sample"))
    assert json.loads(call(capsys, "evolve", path, "--training", "sample", "--json")[1])["solved"]


def interrupt(*arguments, after):
    """Exit code and output of an `evolve` that gets Ctrl-C when its progress says how many runs finished."""
    command = [sys.executable, "-m", "gatewalk", "evolve", *arguments, "--budget", "1000000000000"]
    told = re.compile(rf"^evolve:.* {after} runs", re.MULTILINE)
    return interrupted(command, lambda process: told.search(process.err))


@pytest.mark.parametrize("wants", [(), ("--unsolved",)])
def test_interruption_writes_an_unsolved_circuit_only_if_asked_for(tmp_path, wants):
    file = tmp_path / "xor.json"
    status, out, err = interrupt("xor:14", "--nodes", "13", "--out", str(file), *wants, after="0 of 1")
    assert (status, out) == (130, "")
    assert err.splitlines()[-1] == "gatewalk: interrupted"
    assert "Traceback" not in err
    if wants:
        assert "still has 8,192 mismatches" in err
        assert len(read_file(file).input_labels) == 14
    else:
        assert f"nothing was solved: {file} is not written" in err
        assert not file.exists()


# Strict runs of this profile can be stuck for ever; of these, 1 and 4 are.
STUCK = [
    "and:3",
    "--nodes",
    "3",
    "--profile",
    "tinyverse",
    "--selection",
    "strict",
    "--runs",
    "40",
    "--seed",
    "153",
]


def test_interruption_shows_the_statistics_of_the_finished_runs():
    status, out, err = interrupt(*STUCK, "--jobs", "2", after="3 of 40")
    assert status == 130
    assert out.splitlines()[0] == "3 of 40 runs finished; the rest are not included"
    # The runs 0, 2 and 3 take 11, 6 and 3 iterations.
    for words in ("success 3 of 3", "ERT 7 iterations", "median 6 iterations", "y = "):
        assert words in " ".join(out.split())
    assert err.splitlines()[-1] == "gatewalk: interrupted"


def test_interruption_after_one_run_shows_and_writes_its_circuit(tmp_path):
    file = tmp_path / "and.blif"
    status, out, _ = interrupt(*STUCK, "--jobs", "1", "--out", str(file), after="1 of 40")
    assert status == 130
    assert ".names" in file.read_text()
    assert out.splitlines()[0] == "1 of 40 runs finished; the rest are not included"
    assert out.splitlines()[1].startswith("solved after 11 iterations")


def test_interruption_prints_the_finished_runs_as_json():
    status, out, _ = interrupt(*STUCK, "--jobs", "2", "--json", after="3 of 40")
    assert status == 130
    assert [json.loads(line)["run"] for line in out.splitlines()] == [0, 2, 3]


def test_a_watched_run_is_the_same_as_without_it(capsys, tmp_path):
    search = ("evolve", "and:6", "--nodes", "12", "--seed", "1")
    page = tmp_path / "run.html"
    watched, alone = record(capsys, *search, "--watch", page), record(capsys, *search)
    for one in (watched, alone):
        del one["seconds"]
    assert watched == alone
    assert page.read_text().startswith("<!doctype html>")
    status, out, err = call(capsys, *search, "--watch", page, "--out", tmp_path / "and.blif")
    assert status == 0
    assert out.splitlines()[0] == "solved after 35 iterations with 6 gates"
    assert err.splitlines() == [f"wrote {page}", f"wrote {tmp_path / 'and.blif'}"]
    assert len(read_file(tmp_path / "and.blif").input_labels) == 6


def test_interruption_writes_what_was_recorded(tmp_path):
    page, circuit = tmp_path / "run.html", tmp_path / "xor.json"
    command = [sys.executable, "-m", "gatewalk", "evolve", "xor:14", "--nodes", "13", "--json"]
    command += ["--budget", "1000000000000", "--watch", str(page), "--out", str(circuit), "--unsolved"]
    code, out, err = interrupted(command, lambda process: re.search(r"evolve:.* recorded", process.err))
    assert (code, out) == (130, "")
    assert f"wrote {page}" in err
    assert err.splitlines()[-1] == "gatewalk: interrupted"
    text = page.read_text()
    assert "Interrupted after" in text
    held = text.partition('<script type="application/json" id="run">')[2].partition("</script>")[0]
    assert len(json.loads(held)["frames"]) > 1000
    assert len(read_file(circuit).input_labels) == 14
