"""`gatewalk evolve --watch FILE`."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest
from command import call, record

from gatewalk.circuit.formats import read_file


def test_the_result_is_the_same_as_without_it(capsys, tmp_path: Path) -> None:
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
    assert err.splitlines() == [f"the run is in {page}", f"the circuit is in {tmp_path / 'and.blif'}"]
    assert len(read_file(tmp_path / "and.blif").input_labels) == 6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--watch", "run.mp4"], "use one of .html .svg .gif"),
        (["--watch", ""], "no suffix"),
        (["--watch", "no/such/run.html"], "there is no folder no/such"),
        (["--watch", "run.html", "--runs", "3"], "--watch follows one run: leave out --runs 3"),
        (["--watch", "run.html", "--algorithm", "tgp-multi"], "use --algorithm cgp"),
        (["--watch", "run.html", "--evaluation", "reference"], "leave out --evaluation reference"),
        (["--watch", "run.html", "--nodes", "20000"], "too large to watch"),
    ],
)
def test_what_cannot_be_watched_is_one_line_and_exit_code_2(capsys, options: list[str], words: str) -> None:
    status, out, err = call(capsys, "evolve", "and:4", *options)
    assert (status, out) == (2, "")
    assert words in err
    assert len(err.strip().splitlines()) == 1


def test_interruption_writes_what_was_recorded(tmp_path: Path) -> None:
    page, circuit = tmp_path / "run.html", tmp_path / "xor.json"
    command = [sys.executable, "-m", "gatewalk", "evolve", "xor:14", "--nodes", "13", "--json"]
    command += ["--budget", "1000000000000", "--watch", str(page), "--out", str(circuit)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    too_long = Timer(120, process.kill)  # what never says so must not keep the tests waiting
    too_long.start()
    for line in process.stderr:
        if line.startswith("evolve:") and " recorded" in line:
            break
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    too_long.cancel()
    assert (process.returncode, out) == (130, "")
    assert f"the run is in {page}" in err
    assert err.splitlines()[-1] == "gatewalk: interrupted"
    text = page.read_text()
    assert "Interrupted after" in text
    held = text.partition('<script type="application/json" id="run">')[2].partition("</script>")[0]
    assert len(json.loads(held)["frames"]) > 1000
    assert len(read_file(circuit).input_labels) == 14


def test_help_has_an_example(capsys) -> None:
    assert "gatewalk evolve and:6 --seed 1 --watch run.html" in call(capsys, "evolve", "--help")[1]
