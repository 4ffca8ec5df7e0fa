"""The chain of a mutation that a user wrote: every program is a state, and nothing about it is derived.

What the function may do is a tree for each of its positions (`outcomes`). A *situation* is a position, an
offspring so far, and what the function may see of the parent: which of its nodes are active, all its genes if
it looks at those too, or nothing. A tree leads from a situation to others and to finished offspring. With Q
the chances of the former and E those of the latter, the mean of h over the offspring is the solution of

    u = E h + Q u,

read off where the parent is its own offspring so far and nothing has been drawn.

Positions that do not lead back, such as the turns of a loop over a range, are solved one after the other;
those that do, such as the turns of SAM's loop, by GMRES. Levels without a common situation are solved apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.sparse import block_array, coo_array, csr_array, diags_array
from scipy.sparse.csgraph import connected_components

from gatewalk.boolean.training import Complete, complete
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.genotype import Genes as GeneArray
from gatewalk.cgp.genotype import Shape, check, valid_values
from gatewalk.cgp.operators import OwnMutation, in_one_line
from gatewalk.errors import InputError
from gatewalk.native.frozen import Frozen
from gatewalk.search.scheduler import OnProgress
from gatewalk.search.twins import operands, rules_without_rows
from gatewalk.theory.chain.gmres import gmres
from gatewalk.theory.chain.own.outcomes import (
    ActiveNodes,
    Course,
    Draw,
    Genes,
    Leaf,
    Look,
    Spot,
    Tree,
    merged,
    trees_of,
)
from gatewalk.theory.chain.own.pauses import NotFollowed
from gatewalk.theory.chain.result import part_of
from gatewalk.theory.chain.sam.node_states import Floats, Ints, axes_of
from gatewalk.theory.chain.sam.size import MEMORY, check_kind, genotype_count, smaller_shapes, too_large
from gatewalk.theory.chain.sam.symmetries import identity_only
from gatewalk.theory.chain.sam.tables import fill_cells, tables_of
from gatewalk.theory.chain.solving import Flags, Offspring

BYTES = 80  # for each move of a situation, while the matrices are made; measured
TOLERANCE = 1e-14
RESTART = 60

Matrix = Any  # a sparse array; SciPy's have no types


@dataclass(frozen=True, eq=False)
class Programs:
    """All programs of a shape, numbered as mixed-radix numbers of their genes, the last gene counting ones.

    values, stride: what each gene may be, and what one more in the place of its value adds.
    rank, active: the mismatches of each program, and its active nodes as a bit set.
    """

    values: list[list[int]]
    stride: list[int]
    rank: Ints
    active: Ints

    def __len__(self) -> int:
        return self.rank.size

    def places(self, gene: int, programs: Ints) -> Ints:
        """The places of this gene's values in these programs."""
        return np.asarray(programs // self.stride[gene] % len(self.values[gene]))


@dataclass(frozen=True, eq=False)
class Stage:
    """Situations [first, last) of a block, which lead to earlier ones and, perhaps, to each other.

    within: without its diagonal; stay: 1 / (1 - diagonal), the mean number of turns before moving on.
    """

    first: int
    last: int
    earlier: Matrix
    within: Matrix | None
    stay: Floats


@dataclass(frozen=True, eq=False)
class Block:
    """Situations that lead to no others, in the order of their stages.

    ends, solved: the chances that an offspring is finished as each unsolved program, and as a solved one.
    """

    stages: list[Stage]
    ends: Matrix
    solved: Floats

    def solve(self, right: Floats) -> Floats:
        """u with u = right + Q u."""
        result = np.zeros_like(right)
        for stage in self.stages:
            here = right[stage.first : stage.last] + stage.earlier @ result[: stage.first]
            if stage.within is not None:
                here = _solved(partial(_stayed, stage.within, stage.stay), stage.stay * here)
            result[stage.first : stage.last] = here
        return result

    def solve_transposed(self, right: Floats) -> Floats:
        """w with w = right + Q' w."""
        result = right.copy()
        for stage in reversed(self.stages):
            here = result[stage.first : stage.last]
            if stage.within is not None:
                here = stage.stay * _solved(partial(_stayed_transposed, stage.within.T, stage.stay), here)
                result[stage.first : stage.last] = here
            result[: stage.first] += stage.earlier.T @ here
        return result

    def leads_to(self, flags: Flags) -> Flags:
        """Which situations may lead to one of these."""
        result = flags.copy()
        for stage in self.stages:
            here = result[stage.first : stage.last]
            here |= stage.earlier @ result[: stage.first].astype(np.float64) > 0
            while stage.within is not None:
                more = here | (stage.within @ here.astype(np.float64) > 0)
                if (more == here).all():
                    break
                here[:] = more
        return result


def _stayed(within: Matrix, stay: Floats, x: Floats) -> Floats:
    """x - D^-1 W x."""
    return np.asarray(x - stay * (within @ x))


def _stayed_transposed(back: Matrix, stay: Floats, x: Floats) -> Floats:
    """x - W' D^-1 x."""
    return np.asarray(x - back @ (stay * x))


def _solved(operator: Callable[[Any], Floats], right: Floats) -> Floats:
    return gmres(operator, right, tolerance=TOLERANCE, restart=RESTART)


@dataclass(frozen=True, eq=False)
class OwnChain(Offspring):
    """The chain of a search with a user's mutation; a `Chain` for the solver.

    order: the programs by rank; the first are solved, the others are the states.
    blocks, block_of: the situations, and which block a level's are in.
    begin: the situation of each state, within its block, before anything is drawn.
    """

    mutation: str
    shape: Shape
    programs: Programs
    order: Ints
    blocks: list[Block]
    block_of: list[int]
    begin: Ints

    @property
    def solved_states(self) -> int:
        return int(np.count_nonzero(self.programs.rank == 0))

    @cached_property
    def levels(self) -> list[int]:
        return [int(rank) for rank in np.unique(self.programs.rank[self.order[self.solved_states :]])]

    @cached_property
    def level_start(self) -> list[int]:
        ranks = self.programs.rank[self.order[self.solved_states :]]
        return [*np.searchsorted(ranks, self.levels).tolist(), ranks.size]

    @cached_property
    def size(self) -> Ints:
        return np.ones(self.level_start[-1], dtype=np.int64)

    @property
    def genotypes(self) -> int:
        return len(self.programs)

    def mean(self, level: int, values: Floats, first: int, last: int) -> Floats:
        full = np.zeros(self.level_start[-1])
        full[first:last] = values
        block = self.blocks[self.block_of[level]]
        return block.solve(block.ends @ full)[self._begin(level)]

    def flow(self, level: int, chances: Floats, first: int, last: int) -> Floats:
        block = self.blocks[self.block_of[level]]
        into = np.zeros(block.solved.size)
        into[self._begin(level)] = chances
        return np.asarray((block.ends.T @ block.solve_transposed(into))[first:last])

    def solved(self, level: int) -> Floats:
        block = self.blocks[self.block_of[level]]
        return np.maximum(block.solve(block.solved), 0.0)[self._begin(level)]

    def leads_to(self, level: int, hopeful: Flags) -> Flags:
        full = np.zeros(self.level_start[-1])
        full[: hopeful.size] = hopeful
        block = self.blocks[self.block_of[level]]
        return block.leads_to((block.ends @ full > 0) | (block.solved > 0))[self._begin(level)]

    def _begin(self, level: int) -> Ints:
        return self.begin[self.level_start[level] : self.level_start[level + 1]]

    def program_of(self, state: int) -> GeneArray:
        program = self.order[[self.solved_states + state]]
        genes = enumerate(self.programs.values)
        return np.array([values[int(self.programs.places(gene, program)[0])] for gene, values in genes])

    def state_of(self, genes: Sequence[int] | GeneArray) -> int | None:
        given = check(self.shape, genes).tolist()
        places = [values.index(gene) for values, gene in zip(self.programs.values, given, strict=True)]
        program = sum(place * stride for place, stride in zip(places, self.programs.stride, strict=True))
        state = int(self._place[program]) - self.solved_states
        return None if state < 0 else state

    @cached_property
    def _place(self) -> Ints:
        return np.argsort(self.order)

    def has_free_connection(self, level: int) -> Flags:
        raise InputError(f"levels are known for sam, not {self.mutation}")


def own_chain(
    search: CgpSearch, *, memory: int = MEMORY, on_progress: OnProgress = lambda share, words: None
) -> OwnChain:
    """The chain of a (1+λ) CGP with a mutation that a user wrote."""
    if not isinstance(search.mutation, OwnMutation):
        raise InputError(f"this chain is for mutations that users write, not {search.mutation}")
    if not isinstance(search.training, Complete) or search.start is not None:
        raise InputError("exact times are for complete training sets and random starts")
    check_kind(search)
    _check_size(search, 1, memory)
    try:
        trees = outcomes_of(search, search.mutation.frozen, on_progress=part_of(on_progress, 0.0, 0.3))
    except NotFollowed as error:
        raise in_one_line(search.mutation, error) from None
    _check_size(search, sum(map(_moves, trees)), memory)
    programs = programs_of(search)
    order = np.argsort(programs.rank, kind="stable")
    situations = _situations(search, trees, programs, memory, part_of(on_progress, 0.3, 1.0))
    return _chain(search, trees, programs, order, situations)


def _check_size(search: CgpSearch, moves: int, memory: int) -> None:
    """Raise `TooLarge` if so many moves of every program would need more memory."""

    def needed(shape: Shape) -> int:
        return genotype_count(shape) * moves * BYTES

    if needed(search.shape) > memory:
        count = genotype_count(search.shape)
        possible = [nodes for nodes, shape in smaller_shapes(search).items() if needed(shape) <= memory]
        raise too_large(search, count, count, needed(search.shape), memory, max(possible, default=0))


def _moves(tree: Tree) -> int:
    """To how many others a situation leads at most."""
    match tree:
        case Draw():
            return sum(map(_moves, tree.then))
        case Look():
            return max(map(_moves, tree.then))
    return 1


def outcomes_of(
    search: CgpSearch, mutate: Frozen, *, on_progress: OnProgress = lambda share, words: None
) -> list[Tree]:
    """What a mutation may do to the programs of a search, from each of its positions."""
    shape, rules = search.shape, rules_without_rows(search)
    values = [valid_values(shape, gene) for gene in range(shape.length)]

    def run(course: Course, function: Callable[..., object]) -> object:
        course.operands = operands(
            rules,
            course,
            parent=Genes(course, "parent", values),
            offspring=Genes(course, "offspring", values),
            active=ActiveNodes(course, shape.inputs),
        )
        return function(*course.operands)

    return merged(trees_of(mutate, run, on_progress=on_progress))


def programs_of(search: CgpSearch) -> Programs:
    """All programs of a search, with their mismatches and active nodes."""
    shape = search.shape
    values = [valid_values(shape, gene) for gene in range(shape.length)]
    stride = [1] * shape.length
    for gene in reversed(range(shape.length - 1)):
        stride[gene] = stride[gene + 1] * len(values[gene + 1])
    tables = tables_of(shape, axes_of(shape, swaps=False), identity_only(shape), complete(search.target))
    rank, active = np.empty((2, genotype_count(shape)), dtype=np.int64)
    fill_cells(tables, rank, active)
    return Programs(values, stride, rank, active)


@dataclass(frozen=True, eq=False)
class _Situations:
    """The situations that a search comes to, ascending by their code.

    code: (what is seen of the parent * positions + position) * programs + offspring so far.
    begin: the situation of each program, before anything is drawn.
    moves: Q. ends: E, with a column for every program.
    """

    code: Ints
    begin: Ints
    moves: Matrix
    ends: Matrix


def _seen_of_parents(trees: Sequence[Tree], programs: Programs) -> Ints:
    """A number for what the mutation may see of each program as a parent; equal if that is the same."""
    kinds = {spot[0] for tree in trees for spot in _spots(tree)}
    if "parent" in kinds:
        return np.arange(len(programs))
    return programs.active if "active" in kinds else np.zeros(len(programs), dtype=np.int64)


def _spots(tree: Tree) -> Iterator[Spot]:
    if isinstance(tree, Look):
        yield tree.spot
    if not isinstance(tree, Leaf):
        for then in tree.then:
            yield from _spots(then)


def _situations(
    search: CgpSearch, trees: Sequence[Tree], programs: Programs, memory: int, on_progress: OnProgress
) -> _Situations:
    """All situations that any unsolved program leads to, wave by wave."""
    count = len(programs)
    seen = _seen_of_parents(trees, programs)
    unsolved = np.flatnonzero(programs.rank > 0)
    begin = seen[unsolved] * len(trees) * count + unsolved
    known = wave = np.sort(begin)
    of_parent = np.zeros(int(seen.max()) + 1, dtype=np.int64)
    of_parent[seen] = np.arange(count)  # some program of each kind
    moves: list[tuple[Ints, Ints, float]] = []
    ends: list[tuple[Ints, Ints, float]] = []
    while wave.size:
        parent, rest = np.divmod(wave, len(trees) * count)
        position, offspring = np.divmod(rest, count)
        reached = []
        for number, tree in enumerate(trees):
            at = np.flatnonzero(position == number)
            for rows, leaf, chance in _leaves(tree, programs, of_parent[parent[at]], offspring[at]):
                rows = at[rows]
                after = _written(programs, offspring[rows], leaf)
                if leaf.failed is not None and rows.size:
                    assert isinstance(search.mutation, OwnMutation)
                    raise in_one_line(search.mutation, leaf.failed) from None
                if leaf.position is None:
                    ends.append((wave[rows], after, chance))
                else:
                    code = (parent[rows] * len(trees) + leaf.position) * count + after
                    moves.append((wave[rows], code, chance))
                    reached.append(code)
            on_progress(number / len(trees), "situations")
        wave = np.setdiff1d(np.concatenate([*reached, known[:0]]), known)
        known = np.union1d(known, wave)
        entries = sum(rows.size for rows, _, _ in (*moves, *ends))
        if entries * BYTES > memory:
            raise too_large(search, count, known.size, entries * BYTES, memory, 0)
    size = known.size
    numbers = np.full(count, -1, dtype=np.int64)
    numbers[unsolved] = np.searchsorted(known, begin)
    return _Situations(
        known,
        numbers,
        _matrix(moves, known, lambda code: np.searchsorted(known, code), (size, size)),
        _matrix(ends, known, lambda program: program, (size, count)),
    )


def _matrix(
    entries: list[tuple[Ints, Ints, float]],
    known: Ints,
    column: Callable[[Ints], Ints],
    shape: tuple[int, int],
) -> Matrix:
    empty = np.zeros(0, dtype=np.int64)
    rows = np.concatenate([empty, *(np.searchsorted(known, code).astype(np.int32) for code, _, _ in entries)])
    columns = np.concatenate([empty, *(column(to).astype(np.int32) for _, to, _ in entries)])
    chances = np.concatenate([np.zeros(0), *(np.full(to.size, chance) for _, to, chance in entries)])
    return coo_array((chances, (rows, columns)), shape=shape).tocsr()


def _leaves(
    tree: Tree, programs: Programs, parent: Ints, offspring: Ints
) -> Iterator[tuple[Ints, Leaf, float]]:
    """For each leaf the situations that it is for, as indices, and its probability."""
    pending = [(tree, np.arange(offspring.size), 1.0)]
    while pending:
        here, rows, chance = pending.pop()
        if isinstance(here, Leaf):
            yield rows, here, chance
        elif isinstance(here, Draw):
            pending += [
                (then, rows, chance * share) for then, share in zip(here.then, here.chances, strict=True)
            ]
        else:
            kind, number = here.spot
            if kind == "active":
                place = programs.active[parent[rows]] >> number & 1
            else:
                place = programs.places(number, (parent if kind == "parent" else offspring)[rows])
            pending += [(then, rows[place == value], chance) for value, then in enumerate(here.then)]


def _written(programs: Programs, offspring: Ints, leaf: Leaf) -> Ints:
    """The offspring after the genes of a leaf were written."""
    after = offspring
    for gene, value in leaf.written.items():
        place = programs.values[gene].index(value)
        after = after + (place - programs.places(gene, offspring)) * programs.stride[gene]
    return after


def _chain(
    search: CgpSearch, trees: Sequence[Tree], programs: Programs, order: Ints, situations: _Situations
) -> OwnChain:
    """The chain, with its situations in blocks and stages."""
    size = situations.code.size
    solved = int(np.count_nonzero(programs.rank == 0))
    of_state = situations.begin[order[solved:]]
    level_of = np.unique(programs.rank[order[solved:]], return_inverse=True)[1]
    levels = int(level_of.max(initial=-1)) + 1
    # Situations and levels are connected, and what is connected is a block.
    belongs = coo_array((np.ones(of_state.size), (of_state, level_of)), shape=(size, levels)).tocsr()
    both = block_array([[situations.moves, belongs], [None, csr_array((levels, levels))]])
    blocks, block_of = connected_components(both, directed=False)
    stage_of = _stages(trees)[situations.code // len(programs) % len(trees)]
    sorting = np.lexsort((stage_of, block_of[:size]))
    start = np.searchsorted(block_of[:size][sorting], np.arange(blocks + 1))
    where = np.empty(size, dtype=np.int64)
    where[sorting] = np.arange(size)
    moves, ends = situations.moves[sorting][:, sorting], situations.ends[sorting][:, order]
    made = []
    for first, last in pairwise(start.tolist()):
        edges = first + np.flatnonzero(np.diff(stage_of[sorting[first:last]], prepend=-1, append=-1))
        stages = [_stage(moves, first, int(a), int(b)) for a, b in pairwise(edges)]
        block = Block(stages, ends[first:last, solved:], ends[first:last, :solved].sum(axis=1))
        made.append(block)
    for block in made:
        finishes = block.leads_to((np.diff(block.ends.indptr) > 0) | (block.solved > 0))
        if not finishes.all():
            raise InputError(f"mutation {search.mutation}: for some programs a loop of it never ends")
    begin = where[of_state] - start[block_of[of_state]]
    return OwnChain(
        str(search.mutation), search.shape, programs, order, made, block_of[size:].tolist(), begin
    )


def _stages(trees: Sequence[Tree]) -> Ints:
    """The stage of every position: those that lead to each other share one, and lead to earlier ones."""
    leads = {number: set(_positions(tree)) for number, tree in enumerate(trees)}
    pairs = [(number, to) for number, after in leads.items() for to in after]
    rows, columns = zip(*pairs, strict=True) if pairs else ((), ())
    graph = coo_array((np.ones(len(pairs)), (rows, columns)), shape=(len(trees), len(trees)))
    _, group = connected_components(graph, connection="strong")
    after: dict[int, set[int]] = {int(kind): set() for kind in group}
    for number, to in pairs:
        if group[number] != group[to]:
            after[int(group[number])].add(int(group[to]))
    stage = {kind: number for number, kind in enumerate(TopologicalSorter(after).static_order())}
    return np.array([stage[int(kind)] for kind in group])


def _positions(tree: Tree) -> Iterator[int]:
    if not isinstance(tree, Leaf):
        for then in tree.then:
            yield from _positions(then)
    elif tree.position is not None:
        yield tree.position


def _stage(moves: Matrix, begin: int, first: int, last: int) -> Stage:
    """The situations [first, last) of a block that begins with situation `begin`."""
    rows = moves[first:last]
    within = rows[:, first:last]
    stay = within.diagonal()
    within = within - diags_array(stay)
    within.eliminate_zeros()
    scale = 1.0 / (1.0 - stay)
    return Stage(first - begin, last - begin, rows[:, begin:first], within if within.nnz else None, scale)
