"""Exact running times on given incomplete training sets, and what becomes of generalisation.

On an incomplete set S the search is still a Markov chain on programs; only the symmetries that leave S as
it is may be used (`symmetries`), so the chain is larger. Beyond the time it tells two things that the paper
leaves open:

- the level, the inputs a program uses, may drop: a larger set of inputs is exchanged for a smaller one that
  fits S as well or better. d(x), the chance that this ever happens from x, solves d = c + Q' d, where Q'
  moves without dropping and c is the chance to drop now;
- the generalisation ability of the program that is found: g = a + Q g, where a is the chance that the next
  offspring is solved times its ability, its share of right outputs on the complete table.

Sets are those of `gatewalk evolve` with the same settings and seed: set number k is that of run number k.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, nan, sqrt
from typing import Any

import numpy as np

from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.errors import InputError, whole_number
from gatewalk.search.sampling import training_of_run
from gatewalk.search.session import check_seed
from gatewalk.search.settings import Settings
from gatewalk.theory.chain.generations import Generation, mix, onward
from gatewalk.theory.chain.level_solver import hopeful_classes, solve
from gatewalk.theory.chain.markov_chain import Chain, Segment, TellProgress
from gatewalk.theory.chain.moves import SOLVED, TIE
from gatewalk.theory.chain.node_states import Floats, Ints
from gatewalk.theory.chain.offspring_sums import log_of_rest
from gatewalk.theory.chain.result import ExactResult, finite_or_text
from gatewalk.theory.chain.sam_search import Exact, solved
from gatewalk.theory.chain.size_check import MEMORY
from gatewalk.theory.chain.solved_offspring import ability_at_start, block_levels, solved_moves

MOST_SETS = 100_000


@dataclass(frozen=True)
class SetResult:
    """The search on one training set.

    number: of the run whose set it is. training: its rows. symmetries: permutations of the inputs that leave
    it as it is. p_level_drops: the chance that the parent's level ever drops. generalisation: the expected
    ability of the program found, over searches that end; nan if none does.
    """

    number: int
    training: TrainingSet
    symmetries: int
    result: ExactResult
    p_level_drops: float
    generalisation: float

    def record(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "set": self.number,
            "symmetries": self.symmetries,
            "classes": self.result.classes,
            "expected_iterations": finite_or_text(self.result.expected_iterations),
            "std_iterations": finite_or_text(self.result.std_iterations),
            "worst_start_expected": finite_or_text(self.result.worst_start_expected),
            "p_solved_at_start": self.result.p_solved_at_start,
            "p_never": self.result.p_never,
            "p_level_drops": self.p_level_drops,
            "generalisation": None if np.isnan(self.generalisation) else self.generalisation,
        }


@dataclass(frozen=True)
class SetsResult:
    """Exact running times on several sampled training sets.

    Attributes
    ----------
    settings, seed
        The search, and the seed from which the sets were drawn.
    sets
        The result for each set.

    Examples
    --------
    >>> from gatewalk import settings
    >>> found = exact_sets(settings("and:3", nodes=2, training="sample:4"), sets=3, seed=1)
    >>> round(found.expected_iterations, 2), len(found.sets)
    (2.76, 3)
    """

    settings: Settings
    seed: int
    sets: tuple[SetResult, ...]

    @property
    def expected_iterations(self) -> float:
        return self.mean("expected_iterations")[0]

    def mean(self, key: str) -> tuple[float, float]:
        """The mean over sets of a number of `SetResult.record`, and its standard error (nan for one set)."""
        found = [one.record()[key] for one in self.sets]
        values = np.array([inf if value == "inf" else nan if value is None else value for value in found])
        if not np.isfinite(values).all():
            return float(values.mean()), nan
        error = float(values.std(ddof=1)) / sqrt(values.size) if values.size > 1 else nan
        return float(values.mean()), error

    def record(self) -> dict[str, Any]:
        """The keys of `gatewalk exact`, means over sets, and what sampled sets add."""
        made = self.settings
        keys = (
            "expected_iterations",
            "worst_start_expected",
            "p_solved_at_start",
            "p_never",
            "p_level_drops",
        )
        means = {key: finite_or_text(self.mean(key)[0]) for key in keys}
        ability, ability_error = self.mean("generalisation")
        error = self.mean("expected_iterations")[1]
        return {
            "target": made.target,
            "n": made.n,
            "nodes": made.nodes,
            "selection": made.selection,
            "profile": made.profile,
            "training": made.training,
            "seed": self.seed,
            "states": self.sets[0].result.states,
            "classes": max(one.result.classes for one in self.sets),
            "expected_iterations": means["expected_iterations"],
            "expected_iterations_error": None if np.isnan(error) else error,
            "std_iterations": finite_or_text(self._std()),
            **{key: means[key] for key in keys[1:]},
            "generalisation": None if np.isnan(ability) else ability,
            "generalisation_error": None if np.isnan(ability_error) else ability_error,
            "sets": len(self.sets),
        }

    def _std(self) -> float:
        """The deviation of the iterations when the set is one of these, each as likely."""
        results = [one.result for one in self.sets]
        means = np.array([one.expected_iterations for one in results])
        if not np.isfinite(means).all():
            return inf
        squares = np.array([one.std_iterations for one in results]) ** 2 + means**2
        return sqrt(max(0.0, float(squares.mean() - means.mean() ** 2)))


def exact_sets(
    made: Settings,
    *,
    sets: int = 1,
    seed: int = 0,
    lump: bool = True,
    memory: int = MEMORY,
    on_done: Callable[[SetResult], None] | None = None,
    watch: TellProgress | None = None,
) -> SetsResult:
    """The exact running time on sampled training sets, one chain for each.

    Parameters
    ----------
    made
        The search, from `gatewalk.settings`, with `training="sample"` or `"sample:ROWS"`, at most 64 rows.
    sets, seed
        So many sets: those of runs 0, 1, ... of `gatewalk evolve` with these settings and this seed.
    lump, memory, watch
        As in `exact_result`.
    on_done
        Told of each set when it is solved.

    Returns
    -------
    SetsResult
        The result for each set, and means over them.

    Examples
    --------
    >>> from gatewalk import settings
    >>> found = exact_sets(settings("and:3", nodes=2, training="sample:4"), sets=3, seed=1)
    >>> len(found.sets)
    3
    """
    whole_number("--sets", sets, least=1, most=MOST_SETS)
    check_seed(seed)
    if made.algorithm != "cgp" or made.mutation != "sam" or made.rows is None:
        raise InputError("exact times on sampled sets need cgp, sam and --training sample or sample:ROWS")
    found = []
    for number in range(sets):
        training = training_of_run(made, seed=seed, run=number)
        assert training is not None
        told = None if watch is None else _told(watch, number, sets)
        found.append(exact_on(made, training, number=number, lump=lump, memory=memory, watch=told))
        if on_done:
            on_done(found[-1])
    return SetsResult(made, seed, tuple(found))


def _told(watch: TellProgress, number: int, sets: int) -> TellProgress:
    """Progress on one of several sets as progress on all of them."""
    return lambda what, done: watch(f"set {number + 1} of {sets}: {what}", (number + done) / sets)


def exact_on(
    made: Settings,
    training: TrainingSet,
    *,
    number: int = 0,
    lump: bool = True,
    memory: int = MEMORY,
    watch: TellProgress | None = None,
) -> SetResult:
    """The search on this training set."""
    found = solved(made, training=training, lump=lump, memory=memory, watch=watch)
    chain, generations = found.chain, found.times.generations
    table = complete(made.wanted)
    levels = [block_levels(chain, segment) for segment in chain.segments]
    moves = [
        solved_moves(chain, segment, table, level)
        for segment, level in zip(chain.segments, levels, strict=True)
    ]
    ability = [_next(chain, one, part) for one, (part, _) in zip(generations, moves, strict=True)]
    lower = [_next(chain, one, part) for one, (_, part) in zip(generations, moves, strict=True)]
    return SetResult(
        number,
        training,
        int(chain.tables.moved_source.shape[0]),
        found.result,
        _drops(found, levels, _joined(lower)),
        _generalisation(found, table, _joined(ability)),
    )


def _next(chain: Chain, generation: Generation, moves: Floats) -> Floats:
    """From one offspring to the first solved one of λ, which is distributed as a single one."""
    chance = mix(chain, generation.segment, moves)
    if chain.offspring == 1:
        return chance
    once = -np.expm1(chain.offspring * log_of_rest(generation.solved))
    return chance * np.divide(once, generation.solved, out=np.zeros_like(once), where=generation.solved > 0)


def _joined(parts: list[Floats]) -> Floats:
    return np.concatenate([np.zeros(0), *parts])


def _generalisation(found: Exact, table: TrainingSet, now: Floats) -> float:
    """E[ability of the program found | one is found]."""
    chain, times = found.chain, found.times
    later = solve(chain, times.generations, now, times.hopeful, what="generalisation")
    at_start = found.p_solved_at_start
    total = float(found.start @ later)
    if at_start > 0:
        total += at_start * ability_at_start(chain, table)
    ending = 1.0 - found.p_never
    return total / ending if ending > 1e-15 else nan


def _drops(found: Exact, levels: list[Ints], lower: Floats) -> float:
    """The chance that a parent is ever followed by one of a lower level, the program found included."""
    chain, generations = found.chain, found.times.generations
    level = np.concatenate([np.zeros(0, dtype=np.int64), *levels])
    kept = [_without_drops(one.segment, level) for one in generations]
    calm = replace(chain, segments=kept)
    quiet = [replace(one, segment=segment) for one, segment in zip(generations, kept, strict=True)]
    ones = np.ones(chain.classes)
    drop = _joined(
        [
            onward(chain, one, ones) - onward(calm, other, ones)
            for one, other in zip(generations, quiet, strict=True)
        ]
    )
    ends = hopeful_classes(calm)
    return float(found.start @ solve(calm, quiet, np.maximum(drop, 0.0) + lower, ends, what="level drops"))


def _without_drops(segment: Segment, level: Ints) -> Segment:
    """The segment with moves to lower levels ended, as those to solved programs are."""
    moves = segment.moves
    to = np.where(moves <= TIE, TIE - moves.astype(np.int64), moves.astype(np.int64))
    here = level[segment.classes][:, None]
    is_drop = (to >= 0) & (level[np.maximum(to, 0)] < here)
    return replace(segment, moves=np.where(is_drop, np.int32(SOLVED), moves))
