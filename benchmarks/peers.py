"""The same work on peers that pip can install: offspring per second, one core.

    pip install hal-cgp deap
    python benchmarks/peers.py [--seconds 3]

The work: searches for AND of 8 inputs on all 256 rows, one offspring a generation, from random
programs; with {AND} and 16 nodes for graphs, with {AND} alone for trees. What differs is said with
each line: peers have no SAM and no HVL-prime, so they mutate in their own way, and they are not
started again before the time is up. It is the cost of an offspring that is compared, not how many
are needed. A peer that is not installed is skipped.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable

import numpy as np

from gatewalk.search.speed import Case, per_second, timed_session
from measurements import store

INPUTS, NODES = 8, 16
ROWS = (np.arange(2**INPUTS)[:, None] >> np.arange(INPUTS) & 1).astype(float)
WANTED = ROWS.prod(axis=1)


def gatewalk(seconds: float) -> tuple[float, str]:
    """Ours, on tables."""
    return per_second(
        timed_session(Case(f"and:{INPUTS}", NODES), "table"), seconds
    ), "SAM, packed table of 256 rows"


def hal_cgp(seconds: float) -> tuple[float, str]:
    """hal-cgp: multiplication of 0 and 1 is AND."""
    import cgp

    count = 0

    def objective(individual):  # type: ignore[no-untyped-def]
        nonlocal count
        count += 1
        found = individual.to_numpy()(*ROWS.T)
        individual.fitness = -float(np.sum(np.asarray(found) != WANTED))
        return individual

    genome = {
        "n_inputs": INPUTS,
        "n_outputs": 1,
        "n_columns": NODES,
        "n_rows": 1,
        "levels_back": NODES,
        "primitives": (cgp.Mul,),
    }
    population = cgp.Population(n_parents=1, seed=1, genome_params=genome)
    strategy = cgp.ea.MuPlusLambda(n_offsprings=1, mutation_rate=0.05)
    strategy.initialize_fitness_parents(population, objective)
    start = time.process_time()
    while time.process_time() - start < seconds:
        strategy.step(population, objective)
    return count / (time.process_time() - start), "point mutation of 5 % of the genes, NumPy columns"


def deap(seconds: float) -> tuple[float, str]:
    """DEAP: strongly typed trees with AND as the only function, mutated by insertion or shrinking."""
    from deap import gp

    primitives = gp.PrimitiveSet("AND", INPUTS)
    primitives.addPrimitive(np.logical_and, 2)
    columns = ROWS.T.astype(bool)
    wanted = WANTED.astype(bool)
    random.seed(1)
    parent = gp.PrimitiveTree(gp.genFull(primitives, 1, 1))
    fitness, count = len(wanted) + 1, 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        child = gp.PrimitiveTree(parent)
        (child,) = gp.mutInsert(child, primitives) if random.random() < 0.5 else gp.mutShrink(child)
        found = int((gp.compile(child, primitives)(*columns) != wanted).sum())
        count += 1
        if found <= fitness and len(child) < 64:
            parent, fitness = child, found
    return count / (time.process_time() - start), "trees, insertion or shrinking, NumPy columns"


PEERS: dict[str, Callable[[float], tuple[float, str]]] = {
    "gatewalk": gatewalk,
    "hal-cgp": hal_cgp,
    "deap": deap,
}


def main() -> None:
    """Time each peer."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=3.0)
    seconds = parser.parse_args().seconds
    lines = []
    for name, peer in PEERS.items():
        try:
            speed, how = peer(seconds)
        except ImportError:
            print(f"{name}: not installed, skipped")
            continue
        lines.append({"peer": name, "offspring_per_second": round(speed), "how": how})
        print(json.dumps(lines[-1]), flush=True)
    store("peers", lines)


if __name__ == "__main__":
    main()
