"""The tree twin: its own small certainties, and trajectories equal to the kernels' bit for bit."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from walks import training_of, tree_search

from gatewalk.reference import tgp as twin
from gatewalk.reference.stream import Stream
from gatewalk.search.twins import rules_of_trees
from gatewalk.tgp.tgp_search import PAPER, TINYVERSE, TgpLaw
from gatewalk.tgp.walk import start


def words(seed):
    return np.random.SeedSequence(seed).generate_state(4, np.uint64)


def same_path(search, evaluation, seed, limit):
    """Walk kernel and twin side by side, generation by generation."""
    search, training = replace(search, evaluation=evaluation), training_of(search)
    walk = start(search, training, stream=words(seed))
    assert evaluation in ("auto", walk.evaluation)
    stream = Stream(words(seed).tolist())
    for step in twin.tgp(rules_of_trees(search, training), stream, limit=limit):
        walk.advance(min(limit, step.iterations))
        assert walk.program.tolist() == twin.program(step.x)
        assert (walk.offspring, walk.steps, walk.fitness) == (
            step.iterations,
            step.elementary_steps,
            step.fitness,
        )
        assert walk.course.stream.tolist() == stream.words
    assert walk.solved or walk.offspring == limit
    return walk


LAWS = [
    TgpLaw(insert_at=insert, delete_at=delete, substitution=substitution, child_order=order)
    for insert, delete, substitution, order in product(
        ("node", "leaf", "descent"),
        ("leaf", "descent"),
        ("leaves", "functions", "both", "off"),
        ("random", "new-first"),
    )
]


@pytest.mark.parametrize("steps", ["single", "multi"])
def test_every_combination_of_step_options(steps):
    for seed, law in enumerate(LAWS):
        same_path(tree_search("xor:3", "and,or,nand", law, steps=steps), "table", seed, 120)


@pytest.mark.parametrize("law", [PAPER, TINYVERSE], ids=["paper", "tinyverse"])
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("steps", ["single", "multi"])
@pytest.mark.parametrize(("name", "gates"), [("and:5", "and"), ("or:4", "or"), ("xor:4", "xor")])
def test_the_profiles_with_every_evaluation(name, gates, steps, strict, law):
    search = tree_search(name, gates, law, steps=steps, strict=strict)
    for evaluation in ("table", "symbolic"):
        for seed in range(3):
            same_path(search, evaluation, seed, 200)


@pytest.mark.parametrize("steps", ["single", "multi"])
@pytest.mark.parametrize("offspring", [2, 5])
@pytest.mark.parametrize("ties", ["accept", "coin"])
def test_several_offspring(ties, offspring, steps):
    law = replace(PAPER, ties=ties, starts=3)
    for seed in range(3):
        options = {"steps": steps, "offspring": offspring, "strict": seed == 2}
        same_path(tree_search("and:4", "and,or", law, **options), "table", seed, 151)
        same_path(tree_search("and:4", "and", law, **options), "symbolic", seed, 151)


@pytest.mark.parametrize("steps", ["single", "multi"])
@pytest.mark.parametrize("empty", ["false", "true"])
def test_the_empty_program(empty, steps):
    law = replace(PAPER, empty=empty)
    sizes = []
    for seed in range(12):
        search = tree_search("xor:3", "xor", law, steps=steps)
        for evaluation in ("symbolic", "table"):
            sizes.append(same_path(search, evaluation, seed, 1 + seed % 4).size)
            same_path(search, evaluation, seed, 60)
        same_path(tree_search("maj:3", "and,or", law, steps=steps), "table", seed, 60)
    assert 0 in sizes
    same_path(tree_search("and:3", "and", replace(PAPER, empty="true"), steps=steps), "symbolic", 1, 60)


@pytest.mark.parametrize("steps", ["single", "multi"])
def test_a_size_limit(steps):
    for seed, limit in enumerate((1, 2, 4, 6)):
        law = replace(PAPER, size_limit=limit)
        for evaluation in ("table", "symbolic"):
            walk = same_path(tree_search("xor:5", "xor", law, steps=steps), evaluation, seed, 300)
            assert walk.size <= limit
        same_path(tree_search("xor:4", "and,or", law, steps=steps, offspring=3), "table", seed, 90)


@pytest.mark.parametrize("terminals", ["inputs+negated", "inputs+undesired:2", "inputs+undesired:1+negated"])
def test_other_terminals(terminals):
    law = replace(PAPER, terminals=terminals)
    for seed in range(3):
        for gates in ("and", "and,or"):
            same_path(tree_search("and:3", gates, law, steps="multi"), "table", seed, 120)
        same_path(tree_search("xor:3", "xor", law), "auto", seed, 120)
    if "negated" not in terminals:
        same_path(tree_search("and:3", "and", law, steps="multi"), "symbolic", 5, 300)


def test_sampled_rows():
    for rows in (1, 63, 64, 65, 130):
        same_path(tree_search("and:9", "and,or,xor", PAPER, steps="multi", rows=rows), "table", rows, 60)


def test_every_gate_of_two_inputs():
    names = "false,nor,nimply,not_b,ncimply,not_a,xor,nand,and,xnor,buf_a,cimply,buf_b,imply,or,true"
    for seed in range(8):
        same_path(
            tree_search("maj:5", names, replace(PAPER, substitution="both"), steps="multi"),
            "table",
            seed,
            150,
        )


def test_a_program_written_and_read_is_the_same_tree():
    rules = rules_of_trees(tree_search("xor:4", "xor", steps="multi"), None)
    stream = Stream(words(3).tolist())
    for step in twin.tgp(rules, stream, limit=100):
        numbers = twin.program(step.x)
        assert twin.program(twin.tree_of(numbers)) == numbers
