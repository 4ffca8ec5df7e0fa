"""`gatewalk evolve` as a user meets it: output, JSON, files, errors and exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest
from command import call

from gatewalk.boolean.targets import target
from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.formats import read_file
from gatewalk.search.run import COLUMNS

KEYS = {  # of the contract
    *("target", "algorithm", "n", "nodes", "selection", "profile", "training", "evaluation", "seed", "run"),
    *("iterations", "evaluations", "solved", "fitness", "gates", "generalisation", "seconds"),
}


def test_json_lines_have_a_value_for_every_column_and_nothing_else_is_printed(capsys) -> None:
    status, out, _ = call(capsys, "evolve", "and:4", "--runs", "5", "--seed", "2", "--json", "--jobs", "2")
    records = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [list(record) for record in records] == [[column.name for column in COLUMNS]] * 5
    assert records[0].keys() >= KEYS
    assert [record["run"] for record in records] == list(range(5))
    assert all(record["solved"] and record["fitness"] == 0 for record in records)
    assert all(
        record["generalisation"] is None and record["n"] == 4 and record["nodes"] == 8 for record in records
    )
    again = [
        json.loads(line)
        for line in call(capsys, "evolve", "and:4", "--runs", "5", "--seed", "2", "--json")[1].splitlines()
    ]
    for record in [*records, *again]:
        del record["seconds"]
    assert records == again


def test_every_evaluation_gives_the_same_run(capsys) -> None:
    iterations = set()
    for evaluation in ("auto", "table", "reference"):
        _, out, _ = call(capsys, "evolve", "and:3", "--seed", "4", "--json", "--evaluation", evaluation)
        iterations.add(json.loads(out)["iterations"])
    assert len(iterations) == 1


def test_a_person_sees_the_circuit_and_statistics(capsys) -> None:
    status, out, _ = call(capsys, "evolve", "xor:3", "--runs", "8")
    assert status == 0
    for words in ("8 of 8", "ERT", "median", "Kaplan-Meier", "y = ", "gate"):
        assert words in out


@pytest.mark.parametrize("suffix", [".json", ".blif"])
def test_the_circuit_written_computes_the_target(capsys, tmp_path, suffix: str) -> None:
    path = tmp_path / f"circuit{suffix}"
    gates = ["--gates", "and,or,xor,not", "--nodes", "30", "--seed", "1"]
    status, _, _ = call(capsys, "evolve", "sum:1", *gates, "--out", str(path))
    assert status == 0
    assert matches(read_file(path), target("sum:1"))


def test_dot_is_written(capsys, tmp_path) -> None:
    call(capsys, "evolve", "and:3", "--out", str(tmp_path / "c.dot"))
    assert (tmp_path / "c.dot").read_text().startswith("digraph")


def test_circuits_are_simplified_unless_asked_otherwise(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    search = ("evolve", "xor:2", "--gates", "nand", "--nodes", "12", "--seed", "3")
    path, whole = tmp_path / "simple.json", tmp_path / "whole.json"
    status, out, _ = call(capsys, *search, "--out", str(path))
    assert status == 0
    _, shown, _ = call(capsys, *search, "--as-is", "--out", str(whole))
    assert read_file(path) == read_file(whole).simplify()
    assert len(read_file(path)) < len(read_file(whole))
    assert f"simplified to {len(read_file(path))} gates" in out
    assert "simplified" not in shown


def test_an_unsolved_circuit_is_written_with_a_warning(capsys, tmp_path) -> None:
    path = tmp_path / "c.json"
    status, _, err = call(capsys, "evolve", "and:6", "--budget", "0", "--out", str(path))
    assert status == 0
    assert path.exists()
    assert "mismatches" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nand8"], "unknown target"),
        (["and:0"], "size must be"),
        (["maj:40"], "--training sample"),
        (["and:60", "--evaluation", "table"], "--training sample"),
        (["and:4", "--gates", "nandd"], "did you mean nand"),
        (["and:4", "--profile", "papr"], "did you mean paper"),
        (["and:4", "--budget", "-1"], "budget is -1"),
        (["and:4", "--runs", "0"], "--runs is 0"),
        (["and:4", "--jobs", "0"], "--jobs is 0"),
        (["and:4", "--seed", "-1"], "--seed is -1"),
        (["and:4", "--jobs", "100000"], "--jobs is 100000; it must be at most 1,024"),
        (["and:4", "--nodes", "9" * 5000], "which is 2^16609 or more for n = 4; at most 10,000,000"),
        (["and:4", "--training", "sample:" + "9" * 5000], "2^16609 or more rows of and:4"),
        (["and:4", "--option", "starts=" + "9" * 5000], "option starts is 2^16609 or more"),
        (["and:4", "--nodes", "zero"], "expression in n"),
        (["and:4", "--option", "ties"], "NAME=VALUE"),
        (["and:4", "--out", "circuit.xyz"], "suffix"),
        (["and:4", "--budget", "many"], "is not a whole number"),
        (["and:4", "--budget", "1.5"], "is not a whole number"),
        (["and:4", "--budget", "15e-1"], "is not a whole number"),
        (["and:4", "--budget", str(1 << 63)], "budget is 9223372036854775808; it must be at most"),
        (["and:4", "--lambda", str(1 << 63)], "lambda is 9223372036854775808; it must be at most"),
        (["and:4", "--runs", "9" * 20], "it must be at most 1,000,000,000"),
        (["and:4", "--nodes", "100000000"], "at most 10,000,000"),
        (["and:4", "--nodes=-2"], "which is -2 for n = 4; it must be at least 1"),
        (["and:4", "--mutation", "point:99999999999999999999"], "K from 1 to 1,000,000"),
        (["and:4", "--training", "sample:100000000000"], "58 GiB of memory"),
        (["and:4", "--option", "starts=0"], "option starts is 0; it must be at least 1"),
        (["and:4", "--option", "starts=-5"], "option starts is -5; it must be at least 1"),
        (["and:4", "--option", "levels_back=99999999999"], "option levels_back is 99999999999"),
        (["and:4", "--algorithm", "tgp-single", "--option", "size_limit=0"], "option size_limit is 0"),
        (["and:4", "--out", "no/such/folder.blif"], "there is no folder no/such"),
        (["and:4", "--out", ""], "no suffix"),
        (["sum:1", "--algorithm", "tgp-single"], "trees have one"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, arguments: list[str], words: str) -> None:
    status, out, err = call(capsys, "evolve", *arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["and:3", "--nodes", "2", "--profile", "tinyverse"], "with levels_back = 2 no node reads x1"),
        (["and:8", "--nodes", "5"], "at least 7 gates"),
        (["xor:3", "--gates", "and,or"], "makes only monotone functions"),
    ],
)
def test_what_cannot_be_found_is_not_searched_unless_asked_for(capsys, arguments, words: str) -> None:
    status, _, err = call(capsys, "evolve", *arguments, "--budget", "10")
    assert status == 2
    assert words in err
    assert "--anyway" in err
    assert len(err.splitlines()) == 1
    status, _, err = call(capsys, "evolve", *arguments, "--budget", "10", "--anyway")
    assert status == 0
    assert f"warning: {words.split()[0]}" in err or words in err


def test_a_function_of_ones_own_from_a_table_and_a_file(capsys, tmp_path: Path) -> None:
    (tmp_path / "f.pla").write_text(".i 3\n.o 1\n.ilb a b c\n.ob y\n11- 1\n1-1 1\n-11 1\n.e\n")
    out_file = tmp_path / "f.v"
    status, _, err = call(capsys, "evolve", tmp_path / "f.pla", "--out", out_file, "--seed", "1")
    assert status == 0
    assert f"the circuit is in {out_file}" in err
    assert read_file(out_file).input_labels == ("a", "b", "c")
    found = [
        json.loads(call(capsys, "evolve", what, "--seed", "1", "--json")[1])
        for what in (str(tmp_path / "f.pla"), "table:3:0xe8")
    ]
    assert found[0]["iterations"] == found[1]["iterations"]
    assert found[0]["target"] == "f@table:3:0xe8:a,b,c:y"


def test_a_search_begins_with_a_circuit(capsys, tmp_path: Path) -> None:
    file = tmp_path / "and.blif"
    assert call(capsys, "evolve", "and:4", "--seed", "1", "--out", file)[0] == 0
    (found,) = [json.loads(call(capsys, "evolve", "and:4", "--start", file, "--json")[1])]
    assert (found["solved"], found["iterations"]) == (True, 0)
    status, _, err = call(capsys, "evolve", "and:5", "--start", file)
    assert status == 2
    assert "the start has 4 inputs and 1 outputs" in err
    status, _, err = call(capsys, "evolve", "and:4", "--start", file, "--gates", "or,nand")
    assert status == 2
    assert "the gate and is not among --gates or,nand" in err


MAPPED = ".model m\n.inputs a b c\n.outputs y\n.gate maj A=a B=b C=c Y=y\n.end\n"
CELLS = "GATE maj 4 Y=A*B+A*C+B*C;\nGATE and2 1 Y=A*B;\nGATE or2 1 Y=A+B;\n"


def test_a_mapped_file_is_a_target_and_a_start(capsys, tmp_path: Path, monkeypatch) -> None:
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
        status, _, err = call(capsys, command, "m.blif")
        assert status == 2
        assert "--library FILE" in err
        status, _, err = call(capsys, command, "maj:3", "--library", "cells.genlib")
        assert (status, err) == (
            2,
            "gatewalk: only a BLIF file uses a library of gates: leave out --library cells.genlib\n",
        )


def test_a_pla_of_too_many_inputs_says_what_to_do(capsys, tmp_path: Path) -> None:
    path = tmp_path / "wide.pla"
    path.write_text(f".i 40\n.o 1\n{'1' * 40} 1\n{'-' * 39}0 -\n.e\n")
    status, out, err = call(capsys, "evolve", path)
    assert (status, out) == (2, "")
    assert err.startswith("gatewalk: the complete training set of wide has 2^40 rows and would take ")
    assert err.endswith("of memory: use --training sample\n")
    assert json.loads(call(capsys, "evolve", path, "--training", "sample", "--json")[1])["solved"]


def interrupt(*arguments: str, finished: str) -> tuple[int, str, str]:
    """Exit code and output of an `evolve` that gets Ctrl-C when its progress says how many runs finished."""
    command = [sys.executable, "-m", "gatewalk", "evolve", *arguments, "--budget", "1000000000000"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    too_long = Timer(120, process.kill)  # what never says so must not keep the tests waiting
    too_long.start()
    for line in process.stderr:
        if line.startswith("evolve:") and f" {finished} runs" in line:
            break
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    too_long.cancel()
    return process.returncode, out, err


@pytest.mark.parametrize("mode", [[], ["--json"]])
def test_interruption_ends_with_130_and_no_traceback(mode: list[str]) -> None:
    status, out, err = interrupt("xor:14", "--nodes", "13", *mode, finished="0 of 1")
    assert (status, out) == (130, "")
    assert err.splitlines()[-1] == "gatewalk: interrupted"
    assert "Traceback" not in err


def test_interruption_writes_the_best_circuit_so_far(tmp_path: Path) -> None:
    file = tmp_path / "xor.json"
    status, out, err = interrupt("xor:14", "--nodes", "13", "--out", str(file), finished="0 of 1")
    assert (status, out) == (130, "")
    assert "holds a circuit with 8,192 mismatches" in err
    assert len(read_file(file).input_labels) == 14


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


def test_interruption_shows_the_statistics_of_the_finished_runs() -> None:
    status, out, err = interrupt(*STUCK, "--jobs", "2", finished="3 of 40")
    assert status == 130
    assert out.splitlines()[0] == "3 of 40 runs finished; the others are left out"
    # The runs 0, 2 and 3 take 11, 6 and 3 iterations.
    for words in ("success 3 of 3", "ERT 7 iterations", "median 6 iterations", "y = "):
        assert words in " ".join(out.split())
    assert err.splitlines()[-1] == "gatewalk: interrupted"


def test_interruption_after_one_run_shows_and_writes_its_circuit(tmp_path: Path) -> None:
    file = tmp_path / "and.blif"
    status, out, _ = interrupt(*STUCK, "--jobs", "1", "--out", str(file), finished="1 of 40")
    assert status == 130
    assert ".names" in file.read_text()
    assert out.splitlines()[0] == "1 of 40 runs finished; the others are left out"
    assert out.splitlines()[1].startswith("solved after 11 iterations")


def test_interruption_prints_the_finished_runs_as_json() -> None:
    status, out, _ = interrupt(*STUCK, "--jobs", "2", "--json", finished="3 of 40")
    assert status == 130
    assert [json.loads(line)["run"] for line in out.splitlines()] == [0, 2, 3]


def test_help_teaches_with_examples(capsys) -> None:
    status, out, _ = call(capsys, "evolve", "--help")
    assert status == 0
    assert "Examples:" in out
    assert "gatewalk evolve and:8" in out
