"""SAM without waste has the law of Algorithm 3: next parents by chi-square, steps and times by means."""

from __future__ import annotations

from dataclasses import replace

import numba
import numpy as np
import pytest
from frequencies import check_frequencies
from genotype_chain import Chain, chain_of

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.cgp import engines, symbolic
from gatewalk.cgp.core import EAGER, RANK, core_of
from gatewalk.cgp.engines import Task
from gatewalk.cgp.genotype import shape_for
from gatewalk.cgp.law import PAPER, TINYVERSE, CgpLaw
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.lean import drawn_genes, elementary_steps, lean_of
from gatewalk.cgp.mutation import Mutation
from gatewalk.cgp.new_value import random_program
from gatewalk.cgp.rule import rule_of
from gatewalk.search.evolve import run_once
from gatewalk.search.settings import settings

SAMPLES = 40_000
LAWS = {
    name: replace(law, sam_stream="lean") for name, law in {"paper": PAPER, "tinyverse": TINYVERSE}.items()
}


def task_of(n: int, nodes: int, law: CgpLaw) -> Task:
    wanted = target(f"and:{n}")
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set(["and"]), law=law)
    return Task(
        target=wanted, training=None, shape=shape, law=law, mutation=Mutation(), strict=False, offspring=1
    )


def next_parents(chain: Chain, x: tuple[int, ...]) -> dict[tuple[int, ...], float]:
    """The law of the parent after one iteration."""
    law: dict[tuple[int, ...], float] = {}
    for y, chance in chain.offspring(x).items():
        taken = 0.0
        if chain.fitness(y) <= chain.fitness(x):
            taken = 0.5 if chain.ties == "coin" and chain.fitness(y) == chain.fitness(x) else 1.0
        law[y] = law.get(y, 0.0) + chance * taken
        law[x] = law.get(x, 0.0) + chance * (1 - taken)
    return {y: chance for y, chance in law.items() if chance > 0}


@numba.njit
def draw(core, layout, rule, room, parent, eager):
    """The parent after one iteration, so many times from the same one."""
    found = np.zeros((SAMPLES, parent.size), dtype=np.int64)
    for sample in range(SAMPLES):
        core.genes[:] = parent
        core.child[:] = parent
        core.counters[:] = 0
        core.counters[RANK] = symbolic.rank(layout, room, core.genes)
        core.counters[EAGER] = eager
        symbolic.advance(core, layout, rule, room, 1)
        found[sample] = core.genes
    return found


@pytest.mark.parametrize("eager", [0, 1], ids=["lazy", "eager"])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize(("n", "nodes"), [(2, 2), (3, 2), (2, 3)])
def test_the_next_parent_has_the_law_of_algorithm_3(n: int, nodes: int, law: CgpLaw, eager: int) -> None:
    # Three parents each, chi-square at 1e-7: 36 tests.
    task = task_of(n, nodes, law)
    layout, chain = layout_of(task.shape), chain_of(task.shape, law)
    stream = np.array([n, nodes, eager, 11], dtype=np.uint64)
    room, rule = engines.SYMBOLIC.room(task, layout), rule_of(law, Mutation(), offspring=1, strict=False)
    lean = room.draws.lean._replace(rare=np.uint64(0))  # else the loop is walked in programs so small
    room = room._replace(draws=room.draws._replace(lean=lean))
    parent = np.zeros(task.shape.length, dtype=np.int64)
    tried = 0
    while tried < 3:
        random_program(stream, layout, parent)
        if chain.fitness(tuple(parent.tolist())) == 0:
            continue
        tried += 1
        core = core_of(parent.copy(), stream, np.zeros(8, dtype=np.int64))
        found = draw(core, layout, rule, room, parent, eager)
        check_frequencies(found, next_parents(chain, tuple(parent.tolist())))


@pytest.mark.parametrize("profile", ["paper", "tinyverse"])
def test_elementary_steps_have_the_mean_of_the_literal_stream(profile: str) -> None:
    # Two means of 3000 runs may differ by 5.5 standard errors: a false alarm in 2.6e7.
    means, errors = [], []
    for stream in ("literal", "lean"):
        made = settings("and:4", nodes=7, profile=profile, options={"sam_stream": stream})
        steps = np.array([run_once(made, seed=3, run=run).elementary_steps for run in range(3000)])
        means.append(steps.mean())
        errors.append(steps.var() / steps.size)
    assert abs(means[0] - means[1]) < 5.5 * np.sqrt(sum(errors))


@pytest.mark.parametrize(
    ("profile", "gate", "n", "nodes"),
    [("paper", "and", 3, 2), ("paper", "xor", 3, 2), ("tinyverse", "and", 2, 2), ("tinyverse", "and", 2, 3)],
)
def test_mean_iterations_are_those_of_the_chain(profile: str, gate: str, n: int, nodes: int) -> None:
    law = {"paper": PAPER, "tinyverse": TINYVERSE}[profile]
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set([gate]), law=law)
    expected = chain_of(shape, law, gate=gate).expected_iterations
    made = settings(f"{gate}:{n}", nodes=nodes, profile=profile, options={"sam_stream": "lean"})
    times = np.array([run_once(made, seed=6, run=run).iterations for run in range(10_000)])
    assert abs(times.mean() - expected) < 5.5 * times.std() / 100  # a false alarm in 2.6e7


def test_undrawn_steps_are_negative_binomial() -> None:
    # One gate, 3 nodes: 7 genes of 10 are drawn from. 5 offspring of parents with 3 ending genes.
    task = task_of(2, 3, LAWS["paper"])
    layout = layout_of(task.shape)
    lean = lean_of(task.law, layout)
    assert drawn_genes(lean, layout).size == 7
    undrawn = np.zeros(11, dtype=np.int64)
    undrawn[3] = 5
    drawn = np.array(
        [
            elementary_steps(2, undrawn, lean, layout, np.array([k, 1, 2, 3], dtype=np.uint64))
            for k in range(4000)
        ]
    )
    assert drawn.min() >= 7
    # 5 mutations end with chance 3/10 of each pick, the 2 picks are among 7 of 10.
    expected, variance = 5 * 10 / 3 + 2 * 10 / 7, 5 * 0.7 / 0.09 + 2 * 0.3 / 0.49
    assert abs(drawn.mean() - expected) < 5.5 * np.sqrt(variance / drawn.size)
    assert abs(drawn.var() / variance - 1) < 0.25
