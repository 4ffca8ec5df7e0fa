"""Solving any chain: a chain given by a matrix, against all tuples of offspring and dense systems."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
import pytest

from gatewalk.theory.chain.exact import exact
from gatewalk.theory.chain.gmres import gmres
from gatewalk.theory.chain.solved_chain import start_probabilities
from gatewalk.theory.chain.solving import (
    Offspring,
    hopeful_states,
    moments_reported,
    offspring_made,
    solve_system,
    squares_made,
    start_shares,
    transition_of,
    visits,
)


@dataclass(frozen=True)
class MatrixChain(Offspring):
    """A chain by the letter: matrix[x, y] is the probability that an offspring of x is y.

    The remaining probability of a row is `to_solved` for solved offspring, and else for worse ones.
    """

    starts: list[int]
    matrix: np.ndarray
    to_solved: np.ndarray

    @property
    def level_start(self):
        return self.starts

    def at(self, level):
        return slice(self.level_start[level], self.level_start[level + 1])

    def mean(self, level, values, first, last):
        return self.matrix[self.at(level), first:last] @ values

    def flow(self, level, chances, first, last):
        return chances @ self.matrix[self.at(level), first:last]

    def solved(self, level):
        return self.to_solved[self.at(level)]


def random_chain(seed=1):
    """Three levels of one, two and two states; from the last state only the one before it can be reached."""
    level_start, generator = [0, 1, 3, 5], np.random.default_rng(seed)
    rows = generator.dirichlet(np.ones(7), 5)  # to five states, solved and worse ones
    rows[:, 6] += [rows[x, 1:5].sum() if x < 1 else rows[x, 3:5].sum() if x < 3 else 0.0 for x in range(5)]
    rows[0, 1:5] = rows[1:3, 3:5] = 0.0
    rows[4] = [0, 0, 0, 0.25, 0, 0, 0.75]
    return MatrixChain(level_start, rows[:, :5], rows[:, 5])


def generation_by_the_letter(chain, offspring, tie):
    """Q, by going through all tuples of offspring; 5 is a solved one, 6 a worse one."""
    level = np.repeat([0, 1, 2], [1, 2, 2])
    result = np.zeros((5, 5))
    for x in range(5):
        chances = [*chain.matrix[x], chain.to_solved[x]]
        chances.append(1 - sum(chances))
        for made in product(range(7), repeat=offspring):
            chance = np.prod([chances[y] for y in made])
            if 5 in made or chance == 0:
                continue
            best = min((level[y] for y in made if y < 5), default=9)
            pool = [y for y in made if y < 5 and level[y] == best]
            if best == 9 or best > level[x] or (best == level[x] and tie == 0):
                pool = [x]
            elif best == level[x] and tie == 0.5:
                pool.append(x)
            for y in pool:
                result[x, y] += chance / len(pool)
    return result


@pytest.mark.parametrize("tie", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("offspring", [1, 2, 4])
def test_one_generation_is_the_best_of_all_tuples(offspring, tie):
    chain = random_chain()
    known = generation_by_the_letter(chain, offspring, tie)
    transition = transition_of(chain, offspring=offspring, tie=tie)
    for x in range(5):
        assert transition.backwards(np.eye(5)[x]) == pytest.approx(known[:, x], abs=1e-14)
        assert transition.forwards(np.eye(5)[x]) == pytest.approx(known[x], abs=1e-14)
    assert transition.onward(np.ones(5)) + transition.solved_soon == pytest.approx(
        transition.leaving, abs=1e-14
    )
    assert transition.solved_soon == pytest.approx(1 - known.sum(axis=1), abs=1e-14)
    assert transition.best.tolist() == [True, False, False, False, False]


# P(accepted), by the level of the parent and of the best offspring, with solved ones last.
ACCEPTED = np.array([[0.4, 0.0, 0.0, 1.0], [0.0, 0.7, 0.0, 1.0], [0.2, 0.2, 0.0, 1.0]])


@pytest.mark.parametrize("offspring", [1, 2, 4])
def test_any_selection_by_the_letter(offspring):
    """What is accepted without it, times the probability of each pair of levels; the rest stays."""
    chain, level = random_chain(), np.repeat([0, 1, 2], [1, 2, 2])
    accept = partial(lambda table, *pair: float(table[pair]), ACCEPTED)
    transition = transition_of(chain, offspring=offspring, accept=accept)
    plain = transition_of(chain, offspring=offspring, tie=1.0)
    known = np.array([plain.onward(column) for column in np.eye(5)]).T * ACCEPTED[np.ix_(level, level)]
    for x in range(5):
        assert transition.onward(np.eye(5)[x]) == pytest.approx(known[:, x], abs=1e-14)
    assert transition.leaving == pytest.approx(known.sum(axis=1) + plain.solved_soon, abs=1e-14)
    assert transition.ties
    hopeful = hopeful_states(chain, ties=True, accept=accept)
    assert hopeful.tolist() == [True, True, True, True, False]  # its only way on is a tie, never accepted


def test_solved_offspring_that_are_refused_half_the_time():
    chain = random_chain()
    half = np.where(np.arange(4) == 3, 0.5, ACCEPTED)
    transition = transition_of(chain, accept=partial(lambda table, *pair: float(table[pair]), half))
    assert transition.solved == pytest.approx(chain.to_solved / 2, abs=1e-16)


@pytest.mark.parametrize("tie", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("offspring", [1, 3])
def test_level_by_level_is_one_dense_system(offspring, tie):
    chain = random_chain(2)
    transition = transition_of(chain, offspring=offspring, tie=tie)
    hopeful = hopeful_states(chain, ties=tie > 0)
    assert hopeful.tolist() == [True, True, True, True, tie > 0]  # the last state improves by a tie only
    matrix = generation_by_the_letter(chain, offspring, tie)[np.ix_(hopeful, hopeful)]
    inner = np.eye(len(matrix)) - matrix
    constant, start = np.random.default_rng(3).random((2, 5))
    known, counted = np.zeros((2, 5))
    known[hopeful] = np.linalg.solve(inner, constant[hopeful])
    counted[hopeful] = np.linalg.solve(inner.T, start[hopeful])
    assert solve_system(transition, constant, hopeful) == pytest.approx(known, rel=1e-11)
    assert visits(transition, start, hopeful) == pytest.approx(counted, rel=1e-11)


P = 0.07


def geometric(offspring, never=0.0):
    """A state that each offspring solves with probability P; else it may be lost in one that has no hope."""
    lost = (1 - P) * never
    chain = MatrixChain([0, 2], np.array([[1 - P - lost, lost], [0.0, 1.0]]), np.array([P, 0.0]))
    return transition_of(chain, offspring=offspring, tie=1.0), hopeful_states(chain, ties=True)


@pytest.mark.parametrize("offspring", [1, 2, 7])
def test_mean_and_square_of_a_geometric_time(offspring):
    transition, hopeful = geometric(offspring)
    ends = hopeful.astype(float)
    mean = solve_system(transition, offspring_made(transition, ends), hopeful)
    assert mean[0] == pytest.approx(1 / P, rel=1e-12)
    square = solve_system(transition, squares_made(transition, ends, mean), hopeful)
    assert square[0] == pytest.approx((2 - P) / P**2, rel=1e-12)


@pytest.mark.parametrize("uncounted", [0, 1, 2, 5, 30])
@pytest.mark.parametrize("offspring", [1, 3])
def test_uncounted_iterations_of_a_geometric_time(offspring, uncounted):
    times = np.arange(1, 3000)
    chances = P * (1 - P) ** (times - 1)
    reported = np.maximum(0, times - uncounted)
    transition, hopeful = geometric(offspring)
    moments = np.array([1 / P, 0.0]), np.array([(2 - P) / P**2, 0.0])
    mean, square = moments_reported(transition, hopeful.astype(float), *moments, uncounted)
    assert mean[0] == pytest.approx(reported @ chances, rel=1e-10)
    assert square[0] == pytest.approx(reported.astype(float) ** 2 @ chances, rel=1e-10)


def test_searches_that_never_end_do_not_count():
    """With one offspring, E[T; it ends] solves h = k + Q h."""
    transition, hopeful = geometric(1, never=0.2)
    assert hopeful.tolist() == [True, False]
    stays = (1 - P) * (1 - 0.2)
    ends = solve_system(transition, transition.solved_soon, hopeful)
    assert ends == pytest.approx([P / (1 - stays), 0.0])
    mean = solve_system(transition, offspring_made(transition, ends), hopeful)
    times = np.arange(1, 2000)
    assert mean[0] == pytest.approx((times * P * stays ** (times - 1)).sum(), rel=1e-12)


CASES = [
    ("and:3", {}),
    ("and:3", {"selection": "strict"}),
    ("and:3", {"offspring": 2, "options": {"ties": "coin"}}),
    ("xor:3", {"selection": "strict"}),
    ("and:4", {}),  # two nodes are too few: no class is hopeful
    ("and:3", {"mutation": "point:1", "selection": "strict"}),
    ("and:3", {"mutation": "rate:0.2", "offspring": 2}),
]


def dense(transition):
    """Q, column by column."""
    return np.array([transition.backwards(unit) for unit in np.eye(transition.states)]).T


@pytest.mark.parametrize(("name", "options"), CASES)
def test_chains_of_searches_are_solved_as_one_dense_system(name, options):
    solved = exact(name, nodes=2, **options)
    transition, hopeful = solved.transition, solved.hopeful
    matrix, size = dense(transition), transition.states
    inner = np.eye(int(hopeful.sum())) - matrix[np.ix_(hopeful, hopeful)]
    constant = np.random.default_rng(3).random(size)
    known, counted = np.zeros((2, size))
    known[hopeful] = np.linalg.solve(inner, constant[hopeful])
    assert solve_system(transition, constant, hopeful) == pytest.approx(known, rel=1e-10, abs=1e-12)
    counted[hopeful] = np.linalg.solve(inner.T, solved.start[hopeful])
    assert solved.visits() == pytest.approx(counted, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_a_state_is_hopeful_if_a_path_leads_to_a_solved_program(name, options):
    solved = exact(name, nodes=2, **options)
    reached = solved.transition.solved > 1e-13
    steps = dense(solved.transition) > 1e-13
    for _ in range(reached.size):
        reached |= steps @ reached
    assert (solved.hopeful == reached).all()


@pytest.mark.parametrize("uncounted", [0, 1, 2, 3, 7, 40])
@pytest.mark.parametrize("offspring", [1, 3])
@pytest.mark.parametrize("selection", ["strict", "nonstrict"])
def test_uncounted_iterations(uncounted, offspring, selection):
    solved = exact("and:3", nodes=2, offspring=offspring, selection=selection)
    mean, square = moments_reported(solved.transition, solved.ends, solved.mean, solved.square, uncounted)
    law = solved.distribution()
    beyond = np.array([law.exceeds(t) for t in range(uncounted)])
    expected = solved.expected_iterations - beyond.sum()
    assert solved.start @ mean == pytest.approx(expected, rel=1e-9)
    second = solved.std_iterations**2 + solved.expected_iterations**2
    second -= (2 * np.arange(uncounted) + 1) @ beyond + 2 * uncounted * expected
    assert solved.start @ square == pytest.approx(second, rel=1e-9)


def test_the_best_of_many_starts():
    chain = exact("and:3", nodes=2).chain
    uniform = start_probabilities(chain, 1)
    assert uniform == pytest.approx(chain.size / chain.genotypes, rel=1e-15)
    for starts in (2, 5, 1000):
        chances = start_probabilities(chain, starts)
        first, last = 0.0, 0.0
        for level in reversed(range(len(chain.levels))):
            at = slice(chain.level_start[level], chain.level_start[level + 1])
            first, last = last, last + uniform[at].sum()
            assert chances[at].sum() == pytest.approx(last**starts - first**starts, rel=1e-9, abs=1e-300)


def test_a_level_that_is_never_worst():
    assert start_shares([0.25], 3) == pytest.approx([0.25**2])
    assert start_shares([1.0], 10**9) == [1.0]


@pytest.mark.parametrize("restart", [5, 40])
def test_gmres_solves(restart):
    generator = np.random.default_rng(3)
    matrix = np.eye(40) - 0.9 * generator.dirichlet(np.ones(40), 40)
    right = generator.random(40)
    residuals = []
    solution = gmres(
        lambda x: matrix @ x, right, tolerance=1e-13, restart=restart, on_residual=residuals.append
    )
    assert np.abs(matrix @ solution - right).max() < 1e-12
    assert residuals[-1] < 1e-12


def test_gmres_with_nothing_on_the_right():
    assert not gmres(lambda x: x, np.zeros(3), tolerance=1e-13).any()


def test_gmres_gives_up_on_a_singular_system():
    with pytest.raises(ArithmeticError, match="no convergence"):
        gmres(lambda x: x * [1.0, 0.0], np.ones(2), tolerance=1e-13, most=20)
