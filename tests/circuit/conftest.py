"""Circuits for the tests of this room, random and particular, and other people's programs."""

import random
import shutil
import subprocess

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.circuit import Circuit, Node


def random_circuit(seed, *, inputs=None, gates=None, outputs=None, names=tuple(GATES)):
    """A circuit in which, as in one that a search hands over, every gate is read by something."""
    generator = random.Random(seed)
    n = inputs or generator.randint(1, 6)
    size = generator.randint(0, 20) if gates is None else gates
    unread = []
    nodes = []
    for i in range(size):
        gate = GATES[generator.choice(names)]
        sources = [generator.randrange(n + i) for _ in range(gate.arity)]
        for j in range(len(sources)):
            if unread and generator.random() < 0.5:
                sources[j] = unread[0]
                unread.pop(0)
        unread.append(n + i)
        nodes.append(Node(gate, tuple(sources)))
    read = {source for node in nodes for source in node.sources}
    results = [n + i for i in range(size) if n + i not in read]
    results += [generator.randrange(n + size) for _ in range(outputs or generator.randint(0, 2))]
    results = results or [generator.randrange(n + size)]
    generator.shuffle(results)
    return Circuit(
        tuple(f"x{i + 1}" for i in range(n)),
        tuple(nodes),
        tuple(results),
        tuple(f"y{j + 1}" for j in range(len(results))),
    )


@pytest.fixture
def make_circuit():
    return random_circuit


@pytest.fixture
def figure_1():
    """The program of the paper's Figure 1 without its inactive node."""
    nodes = (("and", (0, 1)), ("nor", (3, 2)), ("or", (4, 3)), ("and", (5, 1)))
    return Circuit(
        ("x1", "x2", "x3"), tuple(Node(GATES[name], sources) for name, sources in nodes), (6,), ("o1",)
    )


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
