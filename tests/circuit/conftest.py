"""Random circuits for the tests of this room."""

import random

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
