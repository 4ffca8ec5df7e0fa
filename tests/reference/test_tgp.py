"""The tree twin: its own small certainties, and trajectories equal to the kernels' bit for bit."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import sample
from gatewalk.reference import tgp as twin
from gatewalk.reference.stream import Stream
from gatewalk.search.tgp_reference import rules_of
from gatewalk.tgp.law import PAPER, TINYVERSE, TgpLaw, widened
from gatewalk.tgp.walk import Task, advance, choose, start


def words(seed):
    return np.random.SeedSequence(seed).generate_state(4, np.uint64)


def task(name, gates, law, **options):
    rows = options.pop("rows", None)
    wanted = family_target(name)
    training = None
    if rows is not None:
        source = np.random.PCG64(7).random_raw
        training = sample(widened(wanted, law.terminals), int(str(rows)), source)
    chosen = {"multi": False, "strict": False, **options}
    return Task(target=wanted, training=training, gates=gate_set(gates), law=law, **chosen)


def same_path(wanted, evaluation, seed, limit):
    """Walk kernel and twin side by side, generation by generation."""
    walk = start(wanted, evaluation=evaluation, stream=words(seed))
    stream = Stream(words(seed).tolist())
    for step in twin.tgp(rules_of(wanted), stream, limit=limit):
        advance(walk, min(limit, step.iterations))
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


@pytest.mark.parametrize("multi", [False, True])
def test_every_combination_of_step_options(multi):
    for seed, law in enumerate(LAWS):
        same_path(task("xor:3", "and,or,nand", law, multi=multi), "table", seed, 120)


@pytest.mark.parametrize("law", [PAPER, TINYVERSE], ids=["paper", "tinyverse"])
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("multi", [False, True])
@pytest.mark.parametrize(("name", "gates"), [("and:5", "and"), ("or:4", "or"), ("xor:4", "xor")])
def test_the_profiles_with_every_evaluation(name, gates, multi, strict, law):
    wanted = task(name, gates, law, multi=multi, strict=strict)
    for evaluation in ("table", "symbolic"):
        for seed in range(3):
            same_path(wanted, evaluation, seed, 200)


@pytest.mark.parametrize("multi", [False, True])
@pytest.mark.parametrize("offspring", [2, 5])
@pytest.mark.parametrize("ties", ["accept", "coin"])
def test_several_offspring(ties, offspring, multi):
    law = replace(PAPER, ties=ties, starts=3)
    for seed in range(3):
        options = {"multi": multi, "offspring": offspring, "strict": seed == 2}
        same_path(task("and:4", "and,or", law, **options), "table", seed, 151)
        same_path(task("and:4", "and", law, **options), "symbolic", seed, 151)


@pytest.mark.parametrize("multi", [False, True])
@pytest.mark.parametrize("empty", ["false", "true"])
def test_the_empty_program(empty, multi):
    law = replace(PAPER, empty=empty)
    sizes = []
    for seed in range(12):
        wanted = task("xor:3", "xor", law, multi=multi)
        for evaluation in ("symbolic", "table"):
            sizes.append(same_path(wanted, evaluation, seed, 1 + seed % 4).size)
            same_path(wanted, evaluation, seed, 60)
        same_path(task("maj:3", "and,or", law, multi=multi), "table", seed, 60)
    assert 0 in sizes
    same_path(task("and:3", "and", replace(PAPER, empty="true"), multi=multi), "symbolic", 1, 60)


@pytest.mark.parametrize("multi", [False, True])
def test_a_size_limit(multi):
    for seed, limit in enumerate((1, 2, 4, 6)):
        law = replace(PAPER, size_limit=limit)
        for evaluation in ("table", "symbolic"):
            walk = same_path(task("xor:5", "xor", law, multi=multi), evaluation, seed, 300)
            assert walk.size <= limit
        same_path(task("xor:4", "and,or", law, multi=multi, offspring=3), "table", seed, 90)


@pytest.mark.parametrize("terminals", ["inputs+negated", "inputs+undesired:2", "inputs+undesired:1+negated"])
def test_other_terminals(terminals):
    law = replace(PAPER, terminals=terminals)
    for seed in range(3):
        for gates in ("and", "and,or"):
            same_path(task("and:3", gates, law, multi=True), "table", seed, 120)
        wanted = task("xor:3", "xor", law)
        same_path(wanted, choose(wanted, "auto"), seed, 120)
    if "negated" not in terminals:
        same_path(task("and:3", "and", law, multi=True), "symbolic", 5, 300)


def test_sampled_rows():
    for rows in (1, 63, 64, 65, 130):
        same_path(task("and:9", "and,or,xor", PAPER, multi=True, rows=rows), "table", rows, 60)


def test_every_gate_of_two_inputs():
    names = "false,nor,nimply,not_b,ncimply,not_a,xor,nand,and,xnor,buf_a,cimply,buf_b,imply,or,true"
    for seed in range(8):
        same_path(task("maj:5", names, replace(PAPER, substitution="both"), multi=True), "table", seed, 150)


def test_a_program_written_and_read_is_the_same_tree():
    rules = rules_of(task("xor:4", "xor", PAPER, multi=True))
    stream = Stream(words(3).tolist())
    for step in twin.tgp(rules, stream, limit=100):
        numbers = twin.program(step.x)
        assert twin.program(twin.tree_of(numbers)) == numbers
