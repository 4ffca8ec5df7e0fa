"""The (1+1) TGP on conjunctions as a Markov chain on numbers of leaves, solved with a proven error.

With {AND} a tree computes the conjunction of its leaves' inputs, so fitness depends on how often each
input occurs. If leaves are chosen uniformly, HVL-prime acts on these counts alone: a substitution
moves a leaf from input i, with probability c_i / s, to a uniform input; an insertion adds a leaf of a
uniform input, wherever it is put; a deletion takes a leaf of input i with probability c_i / s. By the
symmetry of the inputs the state is the multiset of the positive counts, a partition of the number s
of leaves; its number of parts is the level. The multi-step mutation makes 1 + Poisson(1) steps.

There are infinitely many states. The chain is cut at `most` leaves. At level i, whatever the tree,
one insertion of a missing input improves: with probability at least q_i = (n-i) / (3n), or q_i / e
with the multi-step mutation, and no level is ever lost. So from any tree at level i the expected time
is in [0, Σ_{j>=i} 1/q_j], and its square has a like bound. Putting the lower and the upper end in
place of all that happens beyond the cut gives two linear systems whose solutions enclose the truth,
because the systems are monotone in these values.

By descent, as in the profile `tinyverse`, leaves are not chosen uniformly. But there one step improves
only by inserting a missing input: T is a sum of independent geometric times.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp, factorial, inf, sqrt

import numpy as np
from scipy.sparse import csc_array, csr_array

from gatewalk.boolean.training import Complete
from gatewalk.errors import InputError, shown
from gatewalk.search.options import Search
from gatewalk.search.scheduler import OnProgress
from gatewalk.tgp.tgp_search import TgpLaw, TgpSearch
from gatewalk.theory.assumptions import check_taught, is_pure, tie_acceptance
from gatewalk.theory.chain.result import ExactResult
from gatewalk.theory.chain.sam.node_states import Floats, Ints
from gatewalk.theory.chain.solving import Offspring, Transition, solve_system, transition_of

ENOUGH = 1e-9
MOST_STATES = 60_000
OPERATORS = {"leaves": 3, "functions": 3, "both": 3, "off": 2}  # equally likely, by `substitution`
MOST_STEPS = 23  # 1 + Poisson(1) exceeds it with probability below 1e-22

Partition = tuple[int, ...]


def solved_trees(search: Search, *, on_progress: OnProgress = lambda share, words: None) -> ExactResult:
    """The running time of a tree search for a conjunction or, by duality, a disjunction."""
    check_taught(search)
    if not isinstance(search, TgpSearch):
        raise InputError(f"the chain of trees is for tgp-single and tgp-multi, not {search.algorithm}")
    _check(search)
    law, n, is_multi = search.law, search.n, search.steps == "multi"
    if law.delete_at == "descent":
        if is_multi or law.substitution not in ("functions", "off"):
            raise InputError(
                "exact times of trees need leaves chosen uniformly; use --option delete_at=leaf, "
                "or tgp-single with the profile tinyverse"
            )
        moments = _geometric(_insertion(law, n))[0]
        return _result(search, 0, moments, moments)
    if law.delete_at != "leaf":
        raise InputError(f"exact times of trees do not cover the option delete_at={shown(law.delete_at)}")
    leaves, low, high = 4, (0.0, 0.0), (inf, inf)
    while True:
        leaves *= 2
        if leaves > 8 and partitions_up_to(leaves, n) > MOST_STATES:
            leaves //= 2
            break
        chain = _cut(law, n, leaves, is_multi=is_multi)
        transition = transition_of(chain, tie=tie_acceptance(search))
        low, high = (_moments(chain, transition, law, n, upper=upper) for upper in (False, True))
        on_progress(min(1.0, chain.partitions / MOST_STATES), f"trees of up to {leaves} leaves")
        if high[0] - low[0] <= ENOUGH * high[0]:
            break
    return _result(search, chain.partitions, low, high)


def _check(search: TgpSearch) -> None:
    """Raise `InputError` if the search has no such chain."""
    if not is_pure(search, "and", "or"):
        raise InputError(
            f"exact times of trees are for and:N with and, or:N with or; not {search.target.name}"
        )
    if not isinstance(search.training, Complete) or search.offspring != 1:
        raise InputError(
            "exact times of trees are for complete training sets, random starts and one offspring"
        )
    law = search.law
    if law.terminals != "inputs" or law.empty != "never" or law.size_limit or law.uncounted > 1:
        raise InputError("exact times of trees do not cover other terminals, empty programs or size limits")


def _result(
    search: TgpSearch, classes: int, low: tuple[float, float], high: tuple[float, float]
) -> ExactResult:
    """The result from lower and upper bounds on the mean and the mean square."""
    # For n > 1 the search makes at least one offspring.
    uncounted = search.law.uncounted if search.n > 1 else 0
    mean = (low[0] + high[0]) / 2 - uncounted
    # The deviation does not depend on uncounted iterations.
    least, most = (
        sqrt(max(0.0, square - other**2)) for square, other in ((low[1], high[0]), (high[1], low[0]))
    )
    return ExactResult(
        search=search,
        states=None,
        classes=classes + 1,
        expected_iterations=mean,
        std_iterations=(least + most) / 2,
        worst_start_expected=mean,  # every search starts with a single leaf
        p_solved_at_start=1.0 if search.n == 1 else 0.0,
        expected_if_solved=mean,
        error=high[0] - low[0],
        std_error=most - least,
    )


def _insertion(law: TgpLaw, n: int) -> Floats:
    """The probability that one step inserts a missing input, at levels 1 to n - 1."""
    return (n - np.arange(1, n)) / n / OPERATORS[law.substitution]


def _geometric(chances: Floats) -> list[tuple[float, float]]:
    """Mean and mean square of a sum of independent geometric times, from each one to the last."""
    mean = np.cumsum((1.0 / chances)[::-1])[::-1]
    variance = np.cumsum(((1.0 - chances) / chances**2)[::-1])[::-1]
    return [*zip(mean.tolist(), (variance + mean**2).tolist(), strict=True), (0.0, 0.0)]


@dataclass(frozen=True, eq=False)
class _CutChain(Offspring):
    """The chain cut at a number of leaves. What is beyond the cut counts as solved.

    level: of every partition, best first; the first `solved_states` are solved, the others are the states.
    step: one HVL-prime step between partitions, without moves beyond the cut.
    """

    n: int
    level: Ints
    step: csr_array
    is_multi: bool

    @property
    def partitions(self) -> int:
        return self.level.size

    @cached_property
    def solved_states(self) -> int:
        return int(np.count_nonzero(self.level == self.n))

    @cached_property
    def level_start(self) -> list[int]:
        unsolved = self.level[self.solved_states :]
        starts = np.flatnonzero(np.diff(unsolved, prepend=self.n))
        return [*starts.tolist(), unsolved.size]

    @cached_property
    def beyond(self) -> Floats:
        """The chance that one offspring of each state is beyond the cut.

        More than MOST_STEPS steps count as such: they are missing in `_offspring`.
        """
        inside = self._offspring(np.ones(self.partitions))
        return np.maximum(1.0 - inside, 0.0)[self.solved_states :]

    @cached_property
    def _solved(self) -> Floats:
        solved = self._offspring((self.level == self.n).astype(np.float64))
        return solved[self.solved_states :] + self.beyond

    def mean(self, level: int, values: Floats, first: int, last: int) -> Floats:
        full = np.zeros(self.partitions)
        full[self.solved_states + first : self.solved_states + last] = values
        return self._offspring(full)[self.solved_states :][self._at(level)]

    def flow(self, level: int, chances: Floats, first: int, last: int) -> Floats:
        full = np.zeros(self.partitions)
        full[self.solved_states :][self._at(level)] = chances
        return self._offspring(full, self.step.T)[self.solved_states + first : self.solved_states + last]

    def solved(self, level: int) -> Floats:
        return self._solved[self._at(level)]

    def _at(self, level: int) -> slice:
        return slice(self.level_start[level], self.level_start[level + 1])

    def _offspring(self, values: Floats, step: csr_array | csc_array | None = None) -> Floats:
        """The mean of values over offspring; offspring beyond the cut count as 0."""
        step = self.step if step is None else step
        power = np.asarray(step @ values)
        if not self.is_multi:
            return power
        total = np.zeros_like(power)
        for extra in range(MOST_STEPS):
            total += power * (exp(-1.0) / factorial(extra))
            power = np.asarray(step @ power)
        return total


def partitions_up_to(leaves: int, parts: int) -> int:
    """How many states a cut has: partitions of 1 to `leaves` into at most `parts` parts."""
    ways = [1] + [0] * leaves
    for part in range(1, parts + 1):
        for total in range(part, leaves + 1):
            ways[total] += ways[total - part]
    return sum(ways[1:])


def _cut(law: TgpLaw, n: int, leaves: int, *, is_multi: bool) -> _CutChain:
    states = _partitions(leaves, n)
    number = {state: index for index, state in enumerate(states)}
    rows: list[int] = []
    columns: list[int] = []
    chances: list[float] = []
    for row, state in enumerate(states):
        for to, chance in _hvl_step(state, n, law.substitution).items():
            if to in number:
                rows.append(row)
                columns.append(number[to])
                chances.append(chance)
    step = csr_array((chances, (rows, columns)), shape=(len(states), len(states)))
    level = np.array([len(state) for state in states], dtype=np.int64)
    return _CutChain(n, level, step, is_multi)


def _partitions(leaves: int, parts: int) -> list[Partition]:
    """All partitions of 1 to `leaves` into at most `parts` parts, those with most parts first."""
    partitions: list[Partition] = [()]
    last = partitions
    for _ in range(parts):
        last = [
            (*state, part)
            for state in last
            for part in range(1, min(state[-1] if state else leaves, leaves - sum(state)) + 1)
        ]
        if not last:
            break
        partitions = partitions + last
    return sorted(partitions[1:], key=lambda state: (-len(state), sum(state), state))


def _hvl_step(state: Partition, n: int, substitution: str) -> dict[Partition, float]:
    """The probabilities of all states after one step."""
    result: dict[Partition, float] = {}
    operators, leaves = OPERATORS[substitution], sum(state)
    # How often a substitution replaces a leaf; the only function can only be replaced by itself.
    of_leaf = {"off": 0.0, "leaves": 1.0, "functions": 0.0, "both": leaves / (2 * leaves - 1)}[substitution]

    def add(counts: list[int], chance: float) -> None:
        key = tuple(sorted((count for count in counts if count), reverse=True))
        result[key] = result.get(key, 0.0) + chance / operators

    missing = n - len(state)
    for index, count in enumerate(state):
        more, less = list(state), list(state)
        more[index] += 1
        add(more, 1 / n)
        less[index] -= 1
        add(less if leaves > 1 else list(state), count / leaves)
        if of_leaf > 0.0:
            add([*less, 1], of_leaf * count / leaves * missing / n)
            add(list(state), of_leaf * count / leaves / n)
            for other in range(len(state)):
                if other != index:
                    moved = list(less)
                    moved[other] += 1
                    add(moved, of_leaf * count / leaves / n)
    add([*state, 1], missing / n)
    if substitution != "off":
        add(list(state), 1.0 - of_leaf)
    return result


def _moments(
    chain: _CutChain, transition: Transition, law: TgpLaw, n: int, *, upper: bool
) -> tuple[float, float]:
    """Mean and mean square from one leaf, with the lower or the upper bound for everything beyond the cut."""
    states = transition.states
    if states == 0:
        return 0.0, 0.0
    first, second = np.zeros(states), np.zeros(states)
    if upper:
        most = np.array(_geometric(_insertion(law, n) * (exp(-1.0) if chain.is_multi else 1.0)))
        first, second = most[chain.level[chain.solved_states :] - 1].T
    everywhere = np.ones(states, dtype=np.bool_)
    mean = solve_system(transition, 1.0 + chain.beyond * first, everywhere)
    # E[T²] = 1 + 2 Q h + Q m, and Q h = h - 1.
    square = solve_system(transition, 2.0 * mean - 1.0 + chain.beyond * second, everywhere)
    leaf = chain.level_start[-2]  # the smallest tree of the last level
    return float(mean[leaf]), float(square[leaf])
