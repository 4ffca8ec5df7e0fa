"""Other people's programs, and circuits for them."""

import shutil
import subprocess

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.circuit import Circuit, Node


@pytest.fixture
def tool():
    """The path of a program, given with the package that brings it."""

    def find(name, package):
        found = shutil.which(name)
        if found is None:
            pytest.skip(f"{name} is not installed (apt-get install {package})")
        return found

    return find


@pytest.fixture
def run(tmp_path):
    """Runs a command in the test's folder and tells what it said."""

    def start(*command):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return start


@pytest.fixture
def abc(tool, run):
    """ABC, given its commands."""
    program = tool("berkeley-abc", "berkeley-abc")
    return lambda script: run(program, "-c", script)


@pytest.fixture
def yosys(tool, run):
    """Yosys, given its commands."""
    program = tool("yosys", "yosys")
    return lambda script: run(program, "-q", "-p", script)


@pytest.fixture
def every_gate():
    """A circuit in which every gate there is, is an output."""
    nodes = tuple(Node(one, (0, 1, 2)[: one.arity]) for one in GATES.values())
    outputs = tuple(range(3, 3 + len(nodes)))
    return Circuit(("x1", "x2", "x3"), nodes, outputs, tuple(f"y_{name}" for name in GATES))


@pytest.fixture
def some_circuits(every_gate, make_circuit):
    """That one, and random ones."""
    return [every_gate, *(make_circuit(seed, gates=40) for seed in range(8))]


@pytest.fixture
def odd_labels():
    """A circuit whose labels hardly any format can hold as they are, with labels that clash once changed."""
    nodes = (Node(GATES["and"], (0, 1)), Node(GATES["mux"], (5, 2, 3)), Node(GATES["const1"], ()))
    inputs = ("a b", "a_b", "a[0]", "module", "é/*", "lambda", "1st", "_", "x.y", "", "a\nb", '"')[:5]
    return Circuit(inputs, nodes, (5, 6, 7, 0, 1), ("a\tb", "wire", "", "a b", "g1"))
