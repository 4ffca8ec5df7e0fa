"""ABC and Yosys read the BLIF that Gatewalk writes, and Gatewalk reads what they write."""

import shutil
import subprocess

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.formats import read_file, write_file


def tool(name, package):
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (apt-get install {package})")
    return found


@pytest.fixture
def abc():
    return tool("berkeley-abc", "berkeley-abc")


@pytest.fixture
def yosys():
    return tool("yosys", "yosys")


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def circuits(make_circuit):
    """One circuit in which every gate is an output, and random ones."""
    nodes = tuple(Node(one, (0, 1, 2)[: one.arity]) for one in GATES.values())
    every = tuple(range(3, 3 + len(nodes)))
    yield Circuit(("x1", "x2", "x3"), nodes, every, tuple(f"y{name}" for name in GATES))
    for seed in range(12):
        yield make_circuit(seed, gates=40)


def test_abc_reads_ours_and_we_read_abcs(abc, make_circuit, tmp_path):
    for number, circuit in enumerate(circuits(make_circuit)):
        write_file(circuit, tmp_path / f"ours{number}.blif")
        script = f"read_blif ours{number}.blif; strash; cec ours{number}.blif; "
        script += f"write_blif theirs{number}.blif; logic; sop; write_blif sop{number}.blif"
        said = run([abc, "-c", script], tmp_path)
        assert "Networks are equivalent" in said, said
        for theirs in ("theirs", "sop"):
            again = read_file(tmp_path / f"{theirs}{number}.blif")
            assert again.input_labels == circuit.input_labels
            assert again.output_labels == circuit.output_labels
            assert equivalent(circuit, again)


def test_yosys_reads_ours_and_we_read_yosyss(yosys, make_circuit, tmp_path):
    for number, circuit in enumerate(circuits(make_circuit)):
        write_file(circuit, tmp_path / "ours.blif")
        run([yosys, "-q", "-p", "read_blif ours.blif; techmap; opt; write_blif theirs.blif"], tmp_path)
        again = read_file(tmp_path / "theirs.blif")
        assert again.input_labels == circuit.input_labels, number
        assert equivalent(circuit, again)
