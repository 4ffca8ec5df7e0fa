"""The genotype as in the paper's Figure 1."""

from itertools import pairwise

import numpy as np
import pytest
from walks import figure_1

import gatewalk as gw
from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.drawing import genotype_picture
from gatewalk.cgp.genotype import Shape, active_nodes, decode, whole_circuit
from gatewalk.circuit.circuit import needed
from gatewalk.circuit.drawing.picture import Disc, Words
from gatewalk.errors import InputError
from gatewalk.search.runs import program_genotype, program_schematic


def texts(picture, *roles):
    return [mark.text for mark in picture.marks() if isinstance(mark, Words) and mark.role in roles]


def test_figure_1():
    shape, genes = figure_1()
    picture = genotype_picture(shape, genes, input_labels=["x1", "x2", "x3"], output_labels=["o1"])
    assert texts(picture, "number") == [str(i) for i in range(9)]
    assert texts(picture, "label")[:9] == ["x1", "x2", "x3", "∧", "↓", "∨", "↓", "∧", "o1"]
    blocks = [
        [mark.text for mark in part.marks if isinstance(mark, Words)]
        for part in picture.parts
        if part.title is None and any(isinstance(mark, Words) for mark in part.marks)
    ]
    assert [gene for block in blocks for gene in block] == [str(gene) for gene in genes]
    assert blocks[3] == ["2", "0", "4"]
    faded = [part.title for part in picture.parts if part.title and all(mark.faded for mark in part.marks)]
    assert faded == ["6: ↓"]
    edges = [mark for mark in picture.marks() if mark.role == "wire"]
    assert (len(edges), sum(mark.faded for mark in edges)) == (11, 2)


def test_genes_that_a_gate_does_not_use_are_faded():
    shape = Shape(2, 1, 1, gate_set("and,not"))
    picture = genotype_picture(shape, np.array([1, 0, 1, 2]), input_labels=["a", "b"], output_labels=["y"])
    genes = [mark for mark in picture.marks() if isinstance(mark, Words) and mark.role == "gene"]
    assert [(mark.text, mark.faded) for mark in genes] == [("0", False), ("1", True), ("2", False)]
    assert sum(mark.role == "wire" for mark in picture.marks()) == 2


def test_everything_is_inside_and_nodes_do_not_touch():
    generator = np.random.default_rng(1)
    for nodes in (1, 5, 30, 120):
        shape = Shape(5, 3, nodes, gate_set("and,or,xor,mux"))
        genes = np.array([generator.integers(count) for count in shape.ranges.count])
        picture = genotype_picture(
            shape, genes, input_labels=list("abcde"), output_labels=["p", "q", "long_name"]
        )
        for mark in picture.marks():
            points = [(mark.x, mark.y)] if isinstance(mark, Words | Disc) else []
            for x, y in points:
                assert 0 <= x <= picture.width
                assert 0 <= y <= picture.height
        discs = [mark.x for mark in picture.marks() if isinstance(mark, Disc)]
        assert all(b - a > 2 * 16 for a, b in pairwise(discs))


def points_of(steps):
    """Points along an outline of cubic curves."""
    at = steps[0][1]
    for _, (ax, ay, bx, by, cx, cy) in steps[1:]:
        for t in np.linspace(0, 1, 40):
            weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            yield float(np.dot(weights, (at[0], ax, bx, cx))), float(np.dot(weights, (at[1], ay, by, cy)))
        at = (cx, cy)


def test_no_edge_runs_through_a_vertex_that_is_not_its_own():
    generator = np.random.default_rng(2)
    for trial in range(40):
        shape = Shape(1 + trial % 6, 1, 9, gate_set("and,or"))
        genes = np.array([generator.integers(count) for count in shape.ranges.count])
        labels = [f"x{i}" for i in range(shape.inputs)]
        picture = genotype_picture(shape, genes, input_labels=labels, output_labels=["y"])
        discs = [(mark.x, mark.y, mark.radius) for mark in picture.marks() if isinstance(mark, Disc)]
        boxes = [mark for mark in picture.marks() if mark.role == "input"]
        discs += [(box.steps[0][1][0] + 14, box.steps[0][1][1] + 13, 13) for box in boxes]
        for mark in (mark for mark in picture.marks() if mark.role == "wire"):
            found = list(points_of(mark.steps))
            for x, y, radius in discs:
                own = min(np.hypot(px - x, py - y) for px, py in (found[0], found[-1])) < radius + 4
                assert own or min(np.hypot(px - x, py - y) for px, py in found) > radius


def test_the_whole_program_as_a_circuit():
    shape, genes = figure_1()
    labels = {"input_labels": ["x1", "x2", "x3"], "output_labels": ["o1"]}
    whole = whole_circuit(shape, genes, **labels)
    assert len(whole) == 5
    assert list(needed(whole)[3:]) == active_nodes(shape, genes).tolist()
    assert (whole.table() == decode(shape, genes, **labels).table()).all()


def test_all_nodes_are_there_and_inactive_ones_are_faded():
    run = gw.evolve("and:4", nodes=8, seed=1)
    parts = [part for part in program_schematic(run).parts if part.title and part.title.startswith("g")]
    faded = [all(mark.faded for mark in part.marks) for part in parts]
    assert (len(parts), faded.count(False)) == (8, run.gates)
    discs = [mark for mark in program_genotype(run).marks() if isinstance(mark, Disc)]
    assert (len(discs), sum(not disc.faded for disc in discs)) == (8, run.gates)


def test_trees_have_no_inactive_nodes():
    run = gw.evolve("and:3", algorithm="tgp-single", seed=1)
    with pytest.raises(InputError, match=r"tgp-single has trees, .*draw run\.circuit"):
        program_schematic(run)
