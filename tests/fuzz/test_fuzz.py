"""A short form of `make fuzz`: some attacks of each fuzzer, the same ones every time."""

import sys
from pathlib import Path

import pytest
from processes import finished

RUN = Path(__file__).with_name("run.py")
ATTACKS = {
    "saved_searches": 250,
    "stores": 30,
    "specs": 400,
    "study_folders": 400,
    "circuit_files": 400,
    "target_texts": 600,
    "command_lines": 60,
}


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_is_found(name):
    command = [sys.executable, str(RUN), name, "--attacks", str(ATTACKS[name]), "--minutes", "10"]
    done = finished(command)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{name}: {ATTACKS[name]} attacks" in done.stdout


def test_a_finding_is_told_with_its_seed(tmp_path):
    (tmp_path / "run.py").write_text(RUN.read_text())
    (tmp_path / "specs.py").write_text("def attack(source):\n    assert source.random() < 0.5, 'broken'\n")
    (tmp_path / "stores.py").write_text("import os\ndef attack(source):\n    os.abort()\n")
    command = [sys.executable, str(tmp_path / "run.py"), "specs", "stores", "--attacks", "50", "--seed", "3"]
    done = finished(command)
    assert done.returncode == 1
    assert "specs: a finding at seed " in done.stdout
    assert "AssertionError: broken" in done.stdout
    assert "stores: killed by signal 6 at seed 3" in done.stdout
