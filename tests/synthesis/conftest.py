"""Random circuits for the tests of synthesis."""

import random

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.targets import target_tables
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.construction import circuit_of_tables

# Half of them exclusive ors: without, the gates of a random circuit soon are constants.
RICH = ("xor", "and", "xnor", "or", "xor", "nand", "xnor", "imply")


def random_circuit(seed, *, inputs, gates, outputs=4, names=RICH, near=30):
    """A circuit whose gates read inputs and gates shortly before them, so that it is deep and reconverges."""
    generator = random.Random(seed)
    nodes = []
    for i in range(gates):
        gate = GATES[generator.choice(names)]
        first = 0 if generator.random() < 0.1 else max(0, inputs + i - near)
        sources = tuple(generator.randrange(first, inputs + i) for _ in range(gate.arity))
        nodes.append(Node(gate, sources))
    read = {source for node in nodes for source in node.sources}
    ends = [inputs + i for i in range(gates) if inputs + i not in read]
    ends += [generator.randrange(inputs + gates) for _ in range(outputs)]
    return Circuit(
        tuple(f"x{i + 1}" for i in range(inputs)),
        tuple(nodes),
        tuple(ends),
        tuple(f"y{j + 1}" for j in range(len(ends))),
    )


def circuit_at_random(target, random):
    """A circuit of tables that are the target's where they count and random elsewhere."""
    tables = target_tables(target)
    chosen = [
        value | random.getrandbits(tables.rows) & ~care
        for value, care in zip(tables.values, tables.cares, strict=True)
    ]
    return circuit_of_tables(chosen, tables.input_labels, tables.output_labels)


@pytest.fixture
def make_circuit():
    return random_circuit


@pytest.fixture
def at_random():
    return circuit_at_random
