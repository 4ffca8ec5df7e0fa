"""The form in which users write mutations against the same mutations written by hand: what does it cost?

`sam`, `point:3` and `rate:0.05` are functions of `program` and `random`, as users write them. Here each is
compared with the same mutation in the style of kernels, with the random stream and the record of changes in
variables. Both make the same runs, offspring by offspring, which is checked; blocks of runs alternate in one
process, and the ratio of two blocks is one measurement. SAM of a user's file is compared with the built-in
one in the same way. A line per case: the median of the ratios of speed, and their quartiles.

    python benchmarks/operators.py [ALTERNATIONS] > benchmarks/results/operators.jsonl
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

import gatewalk as gw
from gatewalk.cgp import walk
from gatewalk.cgp.evaluators import is_active
from gatewalk.cgp.mutations import PARTS
from gatewalk.cgp.operands import HITS, STEPS, TOUCHED, put_registers, registers_of
from gatewalk.cgp.program import change, hit
from gatewalk.cgp.slots import others_of
from gatewalk.native.draws import Gaps, gaps_of, next_gap
from gatewalk.native.held import set_word
from gatewalk.native.jit import inlined
from gatewalk.native.stream import next_word, pick
from gatewalk.search.options import Words
from gatewalk.search.seeds import entropy

_ZERO, _ONE, _LOW = np.uint64(0), np.uint64(1), np.uint64(0xFFFFFFFF)
ALTERNATIONS = 20
CASES: dict[
    str, tuple[str, Words, int, int]
] = {  # target, words, runs of a block, offspring of a run at most
    "and:10 D=30": ("and:10", {"nodes": 30}, 300, 1_000_000),
    "mul:3 D=200": ("mul:3", {"nodes": 200, "gates": "and,or,xor,not", "offspring": 1}, 1, 60_000),
    "parity:6 D=100": ("parity:6", {"nodes": 100, "gates": "and,or,nand,nor", "offspring": 1}, 2, 60_000),
}


class SamByHand(NamedTuple):
    """See `sam_by_hand`."""

    single: bool = True


class PointByHand(NamedTuple):
    """See `point_by_hand`."""

    points: int


class RateByHand(NamedTuple):
    """See `rate_by_hand`."""

    gaps: Gaps


@inlined
def _finish(program: Any, random: Any, touched: Any, hits: Any, steps: Any, registers: Any) -> None:
    put_registers(random, registers)
    set_word(program._record, TOUCHED, touched)
    set_word(program._record, HITS, hits)
    set_word(program._record, STEPS, steps)


@inlined
def sam_by_hand(mutation: SamByHand, program: Any, random: Any) -> None:
    """As `cgp.mutations.sam` was in version 0.2."""
    held, registers, touched, hits, steps = program._program, registers_of(random), _ZERO, _ZERO, _ZERO
    while True:
        choice, spare, registers = pick(registers, np.uint64(held.slots.size))
        slot = held.slots[choice]
        steps += _ONE
        touched, registers = change(held, touched, slot, spare, registers, program._observer)
        if is_active(program._evaluator, held, program._state, slot):
            if others_of(slot) != _ZERO:
                hits = hit(held, _ZERO, slot)
            _finish(program, random, touched, hits, steps, registers)
            return


@inlined
def point_by_hand(mutation: PointByHand, program: Any, random: Any) -> None:
    """As `cgp.mutations.point` was in version 0.2."""
    held, registers, touched, hits = program._program, registers_of(random), _ZERO, _ZERO
    for _ in range(mutation.points):
        choice, spare, registers = pick(registers, np.uint64(held.slots.size))
        slot = held.slots[choice]
        touched, registers = change(held, touched, slot, spare, registers, program._observer)
        if is_active(program._evaluator, held, program._state, slot) and others_of(slot) != _ZERO:
            hits = hit(held, hits, slot)
    _finish(program, random, touched, hits, np.uint64(mutation.points), registers)


@inlined
def rate_by_hand(mutation: RateByHand, program: Any, random: Any) -> None:
    """As `cgp.mutations.rate` was in version 0.2."""
    held, registers = program._program, registers_of(random)
    touched = hits = steps = gene = _ZERO
    while True:
        left_out, changes, registers = next_gap(mutation.gaps, registers)
        gene += left_out
        if gene >= np.uint64(held.slots.size):
            _finish(program, random, touched, hits, steps, registers)
            return
        if changes:
            slot = held.slots[gene]
            word, registers = next_word(registers)
            touched, registers = change(held, touched, slot, word & _LOW, registers, program._observer)
            steps += _ONE
            if is_active(program._evaluator, held, program._state, slot) and others_of(slot) != _ZERO:
                hits = hit(held, hits, slot)
            gene += _ONE


PARTS.update({SamByHand: sam_by_hand, PointByHand: point_by_hand, RateByHand: rate_by_hand})


@dataclass(frozen=True)
class ByHand:
    """A mutation that is called as the one in the written form, so that its runs have the same seeds."""

    name: str
    strength: float

    def __str__(self) -> str:
        return self.name

    def fewest_picks(self, genes: int) -> float:
        return 1.0

    def arrays(self) -> Any:
        return BY_HAND[self.name]


BY_HAND = {"sam": SamByHand(), "point:3": PointByHand(3), "rate:0.05": RateByHand(gaps_of(0.05))}


@gw.mutation("sam-of-a-user")
def sam_of_a_user(program: Any, random: Any) -> None:
    """SAM, as on the page about operators."""
    while True:
        gene = random.gene(program)
        program.change(gene, random)
        if program.is_active(gene):
            return


def block(search: gw.CgpSearch, words: Any, runs: range) -> tuple[float, walk.Walk]:
    """The seconds that these runs take, and the runs."""
    made = walk.start(search, None, entropy=words, runs=runs)
    began = time.thread_time()
    walk.advance(made, 1 << 60)
    return time.thread_time() - began, made


def measured(case: str, mutation: str, alternations: int, *, of_a_user: bool = False) -> dict[str, Any]:
    """A line of the results: a built-in mutation against that by hand, or a user's SAM against our own."""
    target, words, count, budget = CASES[case]
    search = gw.search_for(target, **words, mutation=mutation, budget=budget)
    assert isinstance(search, gw.CgpSearch)
    by_hand = replace(search, mutation=ByHand(mutation, search.mutation.strength))
    both = (replace(search, mutation=sam_of_a_user), search) if of_a_user else (search, by_hand)
    seeds = entropy(search, 1)
    ratios, speeds = [], []
    for number in range(-1, alternations):  # the first is to warm up
        runs = range((number + 1) * count, (number + 2) * count)
        seconds, walks = [0.0, 0.0], [None, None]
        for which in (0, 1) if number % 2 else (1, 0):
            seconds[which], walks[which] = block(both[which], seeds, runs)  # type: ignore[call-overload]
        cells: list[Any] = [made.cell for made in walks]  # type: ignore[attr-defined]
        for name in ("offspring", "steps", "programs"):
            assert (getattr(cells[0], name) == getattr(cells[1], name)).all(), f"{name} of runs differ"
        if number >= 0:
            ratios.append(seconds[1] / seconds[0])
            speeds.append(cells[0].offspring.sum() / seconds[0])
    low, middle, high = np.quantile(ratios, [0.25, 0.5, 0.75])
    return {
        "case": case,
        "mutation": str(both[0].mutation),
        "against": "built-in" if of_a_user else "by hand",
        "alternations": alternations,
        "speed": round(float(middle), 3),
        "quartiles": [round(float(low), 3), round(float(high), 3)],
        "offspring_per_second": int(np.median(speeds)),
    }


if __name__ == "__main__":
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else ALTERNATIONS
    for case in CASES:
        for mutation in BY_HAND:
            print(json.dumps(measured(case, mutation, turns)), flush=True)
        print(json.dumps(measured(case, "sam", turns, of_a_user=True)), flush=True)
