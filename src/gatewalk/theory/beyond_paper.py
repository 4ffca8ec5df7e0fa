"""The statements that are not in the paper. Each is proved in a document of docs/theory."""

from __future__ import annotations

from gatewalk.theory import certified_size, enclosure, sampled_size, uniform_programs
from gatewalk.theory import xor_stuck as stuck
from gatewalk.theory import xor_walk as walk
from gatewalk.theory.assumptions import (
    ALGORITHM_1,
    CARTESIAN,
    COMPLETE_SET,
    CONJUNCTION,
    EITHER_SELECTION,
    ENOUGH_NODES,
    EXCLUSIVE,
    NONSTRICT,
    ONE_START,
    STRICT,
    UNLIMITED_REACH,
    Assumption,
    inputs_from,
    nodes_from,
    nodes_to,
)
from gatewalk.theory.statement import Statement

_ON_CONJUNCTIONS = (CONJUNCTION, inputs_from(2), ENOUGH_NODES, COMPLETE_SET, *ALGORITHM_1)
_ON_EXCLUSIVES = (EXCLUSIVE, inputs_from(2), ENOUGH_NODES, COMPLETE_SET, *ALGORITHM_1)
_XOR_START = (EXCLUSIVE, inputs_from(2), ENOUGH_NODES, CARTESIAN, UNLIMITED_REACH)
_XOR_WALK = (*_ON_EXCLUSIVES, NONSTRICT, ONE_START)
_XOR_STUCK = (*_ON_EXCLUSIVES, STRICT, ONE_START)


def _float_of_walk(name: str) -> Assumption:
    """The assumption that the bound whose logarithm has this name in `XorWalk` fits a float."""
    return Assumption(
        "n",
        "is above the range of floats: see xor_lower_log2",
        lambda case: walk.lower_has_float(case.n, case.nodes, name),
    )


BEYOND_PAPER = (
    Statement(
        "certified_levels",
        "Certified levels",
        "E[T] at most: the true constants of each level, from the exact chain",
        (
            *_ON_CONJUNCTIONS,
            NONSTRICT,
            Assumption("size", certified_size.words, lambda case: certified_size.fits(case.n, case.nodes)),
        ),
        lambda case: certified_size.bound(case.n, case.nodes),
    ),
    Statement(
        "enclosure_lower",
        "Enclosure, lower",
        "E[T] at least, from a uniform start: by the chance to reach an optimum in k steps",
        (
            *_ON_CONJUNCTIONS,
            EITHER_SELECTION,
            ONE_START,
            nodes_to(uniform_programs.MOST_NODES, because=" to be computed"),
        ),
        lambda case: enclosure.lower(case.n, case.nodes, strict=case.settings.strict),
    ),
    Statement(
        "enclosure_upper",
        "Enclosure, upper",
        "E[T] at most: Theorem 6's blocks with probabilities that hold for all their programs",
        (*_ON_CONJUNCTIONS, NONSTRICT, nodes_to(1000, because=" to be added up")),
        lambda case: enclosure.upper(case.n, case.nodes),
    ),
    Statement(
        "sampled_expected",
        "Sampled sets",
        f"mean of E[T | S] over the first {sampled_size.SETS} sampled sets S of seed 0, exact for each",
        (
            Assumption(
                "training",
                "needs sampled sets: --training sample",
                lambda case: case.settings.training != "complete",
            ),
            CARTESIAN,
            Assumption("mutation", "needs --mutation sam", lambda case: case.settings.mutation == "sam"),
            Assumption("start", "needs --start random", lambda case: case.settings.start == "random"),
            Assumption(
                "size",
                f"needs at most {sampled_size.MOST_GENOTYPES:,} genotypes and 64 rows: see gatewalk exact",
                lambda case: sampled_size.fits(case.settings),
            ),
        ),
        lambda case: sampled_size.mean_expected(case.settings),
    ),
    Statement(
        "xor_start_optimal",
        "Xor walk, start",
        "chance that a uniform program is optimal, exactly; at most 2^(1-n)",
        (
            *_XOR_START,
            nodes_to(walk.MOST_NODES, because="; it is at most 2^(1-n) for any D"),
            Assumption(
                "n",
                "is below the range of floats: see xor_start_optimal_log2",
                lambda case: walk.start_has_float(case.n, case.nodes),
            ),
        ),
        lambda case: walk.xor_walk(case.n, case.nodes).start_optimal,
    ),
    Statement(
        "xor_start_optimal_log2",
        "Xor walk, start, log2",
        "its base-2 logarithm; beyond D = 500 that of the bound 2^(1-n)",
        _XOR_START,
        lambda case: walk.xor_walk(case.n, case.nodes).log2_start,
    ),
    Statement(
        "xor_lower",
        "Xor walk",
        "E[T] at least: (1-pi)^2 / (2 pi (2D+1)), pi the chance to start optimal",
        (*_XOR_WALK, _float_of_walk("log2_lower")),
        lambda case: 2.0 ** walk.xor_walk(case.n, case.nodes).log2_lower,
    ),
    Statement(
        "xor_lower_active",
        "Xor walk, active",
        "E[T] at least: 2D+1 replaced by the mean active genes of optimal programs",
        (*_XOR_WALK, _float_of_walk("log2_lower_active")),
        lambda case: 2.0 ** walk.xor_walk(case.n, case.nodes).log2_lower_active,
    ),
    Statement(
        "xor_lower_log2",
        "Xor walk, log2",
        "the base-2 logarithm of the larger of the two",
        _XOR_WALK,
        lambda case: walk.xor_walk(case.n, case.nodes).log2_lower_active,
    ),
    Statement(
        "xor_stuck_lower",
        "Xor, stuck",
        "chance at least never to find the target; so E[T] is infinite",
        (
            *_XOR_STUCK,
            nodes_from(2),
            nodes_to(uniform_programs.MOST_NODES, because=" to be computed; E[T] is infinite for any D"),
        ),
        lambda case: stuck.stuck_lower(case.n, case.nodes),
    ),
)
