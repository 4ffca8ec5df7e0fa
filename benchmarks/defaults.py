"""Which gates, nodes and offspring find a target soon: the study behind the defaults of targets.

    python benchmarks/defaults.py [candidates] [mutations] [multipliers] [chosen] [larger]

`candidates` tries gate sets, nodes and offspring on a member or two of each family, 10 runs each; `mutations`
other mutations than SAM with the defaults of some, 10 runs each; `multipliers` gate sets, nodes and offspring
on mul:4, the hardest target of them all, 5 runs each. `chosen` measures the defaults as they are now on the
targets of `candidates`, 100 runs each, `larger` on larger ones, 20 runs each. Complete training sets, seed 1.

`expected` is all iterations by the runs that were solved; `median`, `ninetieth` (of 100) and `slowest` are
iterations of single runs, failed ones with what they were given. `seconds` is processor time by solved runs,
without compilation; `nanoseconds` the same by iterations. Writes benchmarks/results/defaults.jsonl, a line
per setting, and keeps the lines of parts not asked for.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gatewalk.boolean.targets import defaults, family_target
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for

RESULTS = Path(__file__).parent / "results" / "defaults.jsonl"
TARGETS = (
    *("maj:5", "maj:7", "parity:5", "epar:5", "epar:8", "mux:4", "mux:8", "sum:3", "add:3", "add_sub:2"),
    *("mul:2", "mul:3", "mcomp:3", "icomp:4", "demux:8", "onehot_enc:8", "onescount:5"),
    *("onescount:7", "alu:2", "sort:5", "sort:6"),
)
LARGER = (
    *("maj:9", "epar:6", "epar:7", "add:4", "sum:4", "add_sub:3", "mcomp:4", "icomp:6", "demux:16"),
    *("onehot_enc:16", "onescount:8", "epar:10", "alu:3", "alu:4", "mul:4"),
    "sort:7",
)
GATES = ("and,or,nand,nor", "and,or,xor,not", "and,or,nand,nor,xor,xnor")
NODES = (100, 300, 1000)
OFFSPRING = (1, 4)
CANDIDATE_BUDGET = 3_000_000
MUTATED = ("epar:8", "mul:3", "mcomp:3")
MUTATIONS = ("sam", "point:1", "point:3", "point:10", "rate:0.1%", "rate:0.3%")
MULTIPLIERS = (  # gates, nodes, offspring; the defaults are in `larger`
    ("and,or,nand,nor", 3000, 1),
    ("and,or,nand,nor", 1000, 4),
    ("and,or,xor,not", 1000, 1),
    ("and,xor,nimply", 1000, 1),
)
MULTIPLIER_BUDGET = 20_000_000
Case = tuple[str, dict[str, Any]]


def candidates() -> Iterator[Case]:
    """Every target with every setting that may become its default."""
    for name in TARGETS:
        for gates in ("and,or", *GATES) if name.startswith(("maj", "sort")) else GATES:
            for nodes in NODES:
                for offspring in OFFSPRING:
                    options = {"gates": gates, "nodes": nodes, "offspring": offspring}
                    yield name, options | {"budget": CANDIDATE_BUDGET}


def mutations() -> Iterator[Case]:
    """Other mutations in place of SAM."""
    for name, usual in by_default(MUTATED):
        for mutation in MUTATIONS:
            yield name, usual | {"mutation": mutation, "budget": CANDIDATE_BUDGET}


def multipliers() -> Iterator[Case]:
    """Gate sets, nodes and offspring for mul:4."""
    for gates, nodes, offspring in MULTIPLIERS:
        options = {"gates": gates, "nodes": nodes, "offspring": offspring}
        yield "mul:4", options | {"budget": MULTIPLIER_BUDGET}


def by_default(names: Iterable[str]) -> Iterator[Case]:
    """The targets with their defaults."""
    for name in names:
        usual = asdict(defaults(family_target(name)))
        yield name, usual | {"gates": ",".join(usual["gates"])}


def measured(name: str, options: dict[str, Any], runs: int) -> dict[str, Any]:
    """One line of the results."""
    run_many(search_for(name, **(options | {"budget": 10})), seed=1, runs=range(1), jobs=1)  # compiles
    started = time.process_time()
    done = run_many(search_for(name, **options), seed=1, runs=range(runs), jobs=1)
    seconds = time.process_time() - started
    solved = int(done.solved.sum())
    spent = sorted(int(value) for value in done.iterations)
    return {
        "target": name,
        **options,
        "runs": runs,
        "solved": solved,
        "expected": round(sum(spent) / solved) if solved else None,
        "median": spent[(runs - 1) // 2],
        "ninetieth": spent[-(-9 * runs // 10) - 1],
        "slowest": spent[-1],
        "seconds": round(seconds / solved, 4) if solved else None,
        "nanoseconds": round(seconds / sum(spent) * 1e9),
    }


PARTS: dict[str, tuple[int, Callable[[], Iterator[Case]]]] = {
    "candidates": (10, candidates),
    "mutations": (10, mutations),
    "multipliers": (5, multipliers),
    "chosen": (100, lambda: by_default(TARGETS)),
    "larger": (20, lambda: by_default(LARGER)),
}


def main() -> None:
    """Measure and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", default=list(PARTS))
    for part in parser.parse_args().parts:
        kept = RESULTS.read_text().splitlines() if RESULTS.exists() else []
        lines = [line for line in kept if json.loads(line)["part"] != part]
        runs, cases = PARTS[part]
        for name, options in cases():
            lines.append(json.dumps({"part": part, **measured(name, options, runs)}))
            print(lines[-1], flush=True)
            RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
