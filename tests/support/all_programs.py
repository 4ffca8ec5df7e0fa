"""All programs of a small shape, and the mismatches of each, by enumeration."""

from itertools import product

import numpy as np

from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import complete, fitness
from gatewalk.cgp.genotype import decode, valid_values
from gatewalk.circuit.circuit import evaluate


def programs_of(shape):
    return list(product(*(valid_values(shape, gene) for gene in range(shape.length))))


def mismatches(shape, name, genes, training=None):
    """On the complete set of a target, or on the training set given."""
    wanted = family_target(name)
    circuit = decode(
        shape, np.array(genes), input_labels=wanted.input_labels, output_labels=wanted.output_labels
    )
    rows = complete(wanted) if training is None else training
    return fitness(evaluate(circuit, rows.inputs), rows)


def exchanged(shape, genes, order, swaps):
    """The program with input i renamed order[i], and connections swapped at the nodes in a bit set."""
    result = list(genes)
    for node in range(shape.nodes):
        first = node * shape.block + 1
        pair = [order[source] if source < shape.inputs else source for source in genes[first : first + 2]]
        result[first : first + 2] = pair[::-1] if swaps >> node & 1 else pair
    for place in range(shape.nodes * shape.block, shape.length):
        source = genes[place]
        result[place] = order[source] if source < shape.inputs else source
    return tuple(result)
