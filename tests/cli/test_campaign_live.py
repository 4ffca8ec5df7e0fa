"""`gatewalk campaign run --live`: the same runs, an address on standard error, errors in one line."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from command import call

from gatewalk.campaign import Results

SPEC = 'seed = 5\n[grid]\ntarget = ["and:3", "xor:3"]\nreplications = 20\nbudget = 500\n'
ENDLESS = "[grid]\ntarget = 'xor:12'\nnodes = 'n'\nreplications = 2\nbudget = 1_000_000_000_000\n"


def rows(store: Path) -> list[tuple[object, ...]]:
    with Results.open(store) as results:
        found = results.columns()
    return list(zip(*(values for name, values in found.items() if name != "seconds"), strict=True))


def test_the_runs_are_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text(SPEC)
    plain, live = tmp_path / "plain.sqlite", tmp_path / "live.sqlite"
    assert call(capsys, "campaign", "run", spec, "--store", plain, "--jobs", "1")[0] == 0
    code, out, err = call(capsys, "campaign", "run", spec, "--store", live, "--jobs", "1", "--live")
    assert (code, out) == (0, "")
    address = re.search(r"^gatewalk: watch it at (http://127\.0\.0\.1:\d+/[\w-]{20,}/)$", err, re.MULTILINE)
    assert address is not None
    assert rows(plain) == rows(live)
    with pytest.raises(URLError):
        urlopen(address[1])
    assert {path.suffix for path in tmp_path.iterdir()} == {".toml", ".sqlite"}


def test_mistakes_are_one_line_and_nothing_is_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text(SPEC)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for options, says in (
            (["--live", "--live-port", port], f"port {port}"),
            (["--live", "--live-port", "70000"], "there is no port 70000"),
            (["--live", "--live-port", "-1"], "there is no port -1"),
            (["--live", "--live-port", "x"], "not a valid integer"),
            (["--live", "--live-host", "no such host"], "no interface"),
            (["--live-port", "8000"], "are for --live"),
        ):
            code, out, err = call(capsys, "campaign", "run", spec, *options)
            assert (code, out, err.count("\n")) == (2, "", 1), options
            assert says in err
    assert not spec.with_suffix(".sqlite").exists()


def test_ctrl_c_ends_both_as_before(tmp_path: Path) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text(ENDLESS)
    process = subprocess.Popen(
        [sys.executable, "-m", "gatewalk", "campaign", "run", str(spec), "--jobs", "1", "--live"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
    )
    assert process.stderr is not None
    line = ""
    while "watch it at" not in line:
        line = process.stderr.readline()
        assert line, "it ended"
    address = line.rpartition(" ")[2].strip()
    said = ""
    while '"running":true' not in said:
        said = urlopen(address + "data.json").read().decode()
    while "runs" not in process.stderr.readline():  # its progress: it is under way
        continue
    os.killpg(process.pid, signal.SIGINT)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "Traceback" not in err
    assert err.splitlines()[-1].endswith("--jobs 1 --live")
    with pytest.raises(URLError):
        urlopen(address)
