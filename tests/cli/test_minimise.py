"""`gatewalk circuit minimise` as a user calls it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import call, record

from gatewalk.boolean.targets import target
from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.formats import read_file

KEYS = {"gates_before", "gates_after", "depth_after", "proven", "seconds"}  # other programs rely on them


Capture = pytest.CaptureFixture[str]


def test_a_target_becomes_a_small_circuit_in_a_file(tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "small.blif"
    found = record(capsys, "circuit", "minimise", "mul:2", "--evaluations", "3e5", "--out", out)
    assert found.keys() >= KEYS
    assert (found["gates_after"], found["proven"], found["proof"]) == (7, True, "all rows")
    assert matches(read_file(out), target("mul:2"))


def test_a_file_is_made_smaller_and_the_words_say_so(tmp_path: Path, capsys: Capture) -> None:
    wasteful, out = tmp_path / "wasteful.blif", tmp_path / "small.v"
    wasteful.write_text(
        ".model m\n.inputs a b\n.outputs y\n"
        ".names a b p\n11 0\n.names a p q\n11 0\n.names b p r\n11 0\n.names q r y\n11 0\n.end\n"
    )
    status, words, notes = call(
        capsys, "circuit", "minimise", wasteful, "--evaluations", "20000", "--out", out
    )
    assert status == 0
    assert "4 gates before, 1 now (1 xor)" in words
    assert "equal on all 4 rows" in words
    assert "no smaller circuit" in words
    assert str(out) in notes
    assert call(capsys, "circuit", "check", wasteful, out)[0] == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing.blif",),
        ("and8",),
        ("xor:3", "--gates", "and,or"),
        ("xor:3", "--gates", "nope"),
        ("xor:3", "--cost", "speed"),
        ("xor:3", "--seconds", "-1"),
        ("xor:3", "--slack", "-1"),
        ("xor:3", "--out", "no/such/folder/x.blif"),
        ("xor:3", "--out", "x.unknown"),
        ("xor:3", "--runs", "0"),
    ],
)
def test_bad_input_is_one_line_and_2(arguments: tuple[str, ...], capsys: Capture) -> None:
    status, out, err = call(capsys, "circuit", "minimise", *arguments, "--evaluations", "10")
    assert (status, out) == (2, "")
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("seconds", ["0", "-1", "nan"])
def test_no_time_is_no_search(seconds: str, capsys: Capture) -> None:
    status, out, err = call(capsys, "circuit", "minimise", "xor:3", "--seconds", seconds)
    assert (status, out) == (2, "")
    assert "seconds" in err
    assert len(err.strip().splitlines()) == 1


def test_ctrl_c_keeps_the_best_circuit_so_far(tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "best.json"
    # Kernels are compiled first, so that the signal comes in the middle of the search.
    assert call(capsys, "circuit", "minimise", "mul:2", "--evaluations", "10")[0] == 0
    command = [sys.executable, "-m", "gatewalk", "circuit", "minimise", "mul:3", "--seconds", "600"]
    running = subprocess.Popen(
        [*command, "--out", str(out), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stderr is not None
    running.stderr.readline()  # the first line of progress comes after two seconds of search
    time.sleep(0.5)
    os.kill(running.pid, signal.SIGINT)
    stdout, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    record = json.loads(stdout)
    assert record["interrupted"] is True
    assert record["gates_after"] == len(read_file(out)) <= 30
    assert matches(read_file(out), target("mul:3"))
