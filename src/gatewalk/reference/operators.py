"""Operators that users write, run as they are: the `program` and the `random` that plain Python gives them.

A mutation is a function of a program and a source of random numbers, a selection one of two ranks and such a
source. Kernels compile the same function; here it is interpreted, so it is its own literal twin. All chance
comes through the five methods of `Draws`, so another source, for instance one that branches over all
outcomes, can take the place of the random stream.
"""

from __future__ import annotations

from collections.abc import Callable, Container, MutableSequence, Sequence
from typing import Protocol

from gatewalk.errors import InputError, shown
from gatewalk.reference.cgp import Pick, Rules, Step, active_nodes, is_active, valid
from gatewalk.reference.stream import Stream

LARGEST_BOUND = 2**32 - 1
TOO_MANY = "too many draws for one offspring; does its loop end?"


def most_draws(genes: int) -> int:
    """How many draws an offspring may take, and how many genes it may set: enough for any loop that ends."""
    return 1_000_000 + 1_000 * genes


class Draws(Protocol):
    """Where the outcomes of draws come from."""

    def gene(self, count: int) -> int:
        """Uniform on [0, count); the unused half of its word is left for the next `value`."""
        ...

    def value(self, count: int) -> int:
        """Uniform on [0, count), for the new value of a gene; 0 if the gene has no other value."""
        ...

    def integer(self, bound: int) -> int:
        """Uniform on [0, bound)."""
        ...

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        ...

    def gap(self, probability: float, most: int) -> int:
        """How many trials fail before the next success, counted up to `most`."""
        ...


class StreamDraws:
    """The draws of a run, from its random stream."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._half: int | None = None

    def gene(self, count: int) -> int:
        gene, self._half = self._stream.pick(count)
        return gene

    def value(self, count: int) -> int:
        half, self._half = self._half, None
        if half is None:
            half = self._stream.word() % 2**32
        return self._stream.below_from(half, count) if count else 0

    def integer(self, bound: int) -> int:
        return self._stream.below(bound)

    def chance(self, probability: float) -> bool:
        return self._stream.unit() < probability

    def gap(self, probability: float, most: int) -> int:
        left = 1.0 - self._stream.unit()  # at most (1-p)^k if the first k trials fail
        failures, all_fail = 0, 1.0 - probability
        while failures < most and left <= all_fail:
            failures += 1
            all_fail *= 1.0 - probability
        return failures


class Random:
    """`random`, the second argument of a mutation and the third of a selection.

    genes: those of the program; a gap is not counted any further. most: the draws that it makes.
    """

    def __init__(self, draws: Draws, genes: int, *, most: int | None = None) -> None:
        self._draws, self._genes = draws, genes
        self._left = most_draws(genes) if most is None else most
        self._has_half = False

    def gene(self, program: Program) -> int:
        """A uniform gene of the program."""
        self._has_half = True
        return self._drawing().gene(program.genes)

    def connection(self, program: Program) -> int:
        """A uniform one of the genes that are connections of nodes."""
        self._has_half = True
        choice = self._drawing().gene(program.nodes * program.arity)
        return program.connection(choice // program.arity, choice % program.arity)

    def integer(self, bound: int) -> int:
        """A uniform integer from 0 to bound - 1."""
        if not 1 <= bound <= LARGEST_BOUND:
            raise InputError("random.integer needs a bound from 1 to 2^32 - 1")
        return self._drawing().integer(bound)

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        _check_probability(probability)
        return self._drawing().chance(probability)

    def gap(self, probability: float) -> int:
        """How many trials fail before the next success; at most the number of genes."""
        _check_probability(probability)
        return self._drawing().gap(probability, self._genes)

    def choice(self, count: int) -> int:
        """For `Program.change`: which of so many other values a gene gets."""
        if self._has_half:  # this draw was counted with that of the gene
            self._has_half = False
            return self._draws.value(count)
        return self._drawing().value(count)

    def _drawing(self) -> Draws:
        """Where to draw from, unless this offspring has drawn too often."""
        self._left -= 1
        if self._left < 0:
            raise InputError(TOO_MANY)
        return self._draws


def _check_probability(probability: float) -> None:
    if not 0.0 <= probability <= 1.0:
        raise InputError("a probability must be from 0 to 1")


class Program:
    """`program`, the first argument of a mutation: the offspring that is made, and its parent.

    y: the genes of the offspring so far, which are changed in place; None: those of the parent, x.
    active: the active nodes of x; None: they are found. `picks` are the changes so far.
    """

    def __init__(
        self,
        rules: Rules,
        x: Sequence[int],
        y: MutableSequence[int] | None = None,
        active: Container[int] | None = None,
    ) -> None:
        self._rules, self._x, self._y = rules, x, list(x) if y is None else y
        self._active = active_nodes(rules, list(x)) if active is None else active
        self.picks: list[Pick] = []
        self.genes, self.nodes, self.inputs = rules.genes, rules.Nfunc, rules.Nin
        self.outputs, self.arity = rules.Nout, rules.k

    @property
    def offspring(self) -> list[int]:
        """The genes of the offspring so far."""
        return list(self._y)

    def is_function(self, gene: int) -> bool:
        """Whether the gene is the function of a node."""
        return not self.is_output(gene) and gene % (self.arity + 1) == 0

    def is_connection(self, gene: int) -> bool:
        """Whether the gene is a connection of a node."""
        return not self.is_output(gene) and gene % (self.arity + 1) != 0

    def is_output(self, gene: int) -> bool:
        """Whether the gene is an output."""
        return self._checked(gene) >= self.nodes * (self.arity + 1)

    def node(self, gene: int) -> int:
        """The node that the gene belongs to, from 0; `nodes` for outputs."""
        return self.nodes if self.is_output(gene) else gene // (self.arity + 1)

    def function(self, node: int) -> int:
        """The gene that is the function of a node."""
        _check(node, self.nodes, "node")
        return node * (self.arity + 1)

    def connection(self, node: int, number: int) -> int:
        """The gene that is connection 0, 1, ... of a node."""
        _check(node, self.nodes, "node")
        _check(number, self.arity, "connection")
        return node * (self.arity + 1) + 1 + number

    def output(self, number: int) -> int:
        """The gene that is output 0, 1, ..."""
        _check(number, self.outputs, "output")
        return self.nodes * (self.arity + 1) + number

    def value(self, gene: int) -> int:
        """The value of a gene in the offspring."""
        return self._y[self._checked(gene)]

    def parent_value(self, gene: int) -> int:
        """The value of a gene in the parent."""
        return self._x[self._checked(gene)]

    def values(self, gene: int) -> int:
        """How many values the gene may have."""
        return len(valid(self._rules, self._checked(gene)))

    def is_active(self, gene: int) -> bool:
        """Whether the parent uses the gene, and the gene can have another value."""
        return is_active(self._rules, self._active, self._checked(gene)) and self.values(gene) > 1

    def change(self, gene: int, random: Random) -> None:
        """Give the gene another value (NewValue): a uniform one of those that it does not have."""
        old = self._y[self._checked(gene)]
        others = [value for value in valid(self._rules, gene) if value != old]
        choice = random.choice(len(others))
        self._note(gene, others[choice] if others else old)

    def set(self, gene: int, value: int) -> None:
        """Give the gene this value, which must be valid."""
        if len(self.picks) >= most_draws(self.genes):
            raise InputError(TOO_MANY)
        if value not in valid(self._rules, self._checked(gene)):
            raise InputError("program.set: the gene cannot have this value")
        self._note(gene, value)

    def _note(self, gene: int, value: int) -> None:
        self._y[gene] = value
        self.picks.append((gene, value))

    def _checked(self, gene: int) -> int:
        _check(gene, self.genes, "gene")
        return gene


def _check(number: int, count: int, what: str) -> None:
    if isinstance(number, bool) or not isinstance(number, int):
        raise InputError(f"the number of a {what} must be a whole number, not {shown(number)}")
    if not 0 <= number < count:
        raise InputError(f"there is no {what} of this number")


MutationFunction = Callable[[Program, Random], object]
SelectionFunction = Callable[[int, int, Random], object]


def mutated(
    operator: MutationFunction, rules: Rules, x: list[int], stream: Stream
) -> tuple[list[int], list[Pick]]:
    """An offspring of x by a user's mutation, and its picks: every change is an elementary step."""
    program = Program(rules, x)
    operator(program, Random(StreamDraws(stream), rules.genes))
    return program.offspring, program.picks


def accepted(operator: SelectionFunction, rules: Rules, parent: int, best: int, stream: Stream) -> bool:
    """Whether a user's selection lets the best offspring, which is not worse, become the parent."""
    return bool(operator(parent, best, Random(StreamDraws(stream), rules.genes)))


def ties(probability: float) -> SelectionFunction:
    """The selection `ties:P`: fitter offspring are accepted, equally fit ones with this probability."""

    def rule(parent: int, offspring: int, random: Random) -> bool:
        return offspring < parent or (offspring == parent and random.chance(probability))

    return rule


def told(s: Rules, before: int, step: Step) -> dict[str, int | bool]:
    """What an observer is told of a generation, whose parent had the fitness `before`."""
    active = active_nodes(s, step.x)
    read = set(step.x[s.Nfunc * (s.k + 1) :])
    for node in active:
        block = step.x[(node - s.Nin) * (s.k + 1) : (node - s.Nin + 1) * (s.k + 1)]
        read |= set(block[1 : 1 + s.functions[block[0]].arity])
    return {
        "iteration": step.iterations,
        "parent": before,
        "offspring": min(offspring.fitness for offspring in step.made),
        "accepted": step.chosen is not None,
        "gates": len(active),
        "level": len([source for source in read if source < s.Nin]),
    }


def counted(columns: Sequence[str], values: object) -> dict[str, int]:
    """The columns of an observer, from what its function returned."""
    listed = values if isinstance(values, tuple) and len(columns) > 1 else (values,)
    for value in listed:
        if type(value) is not int:
            raise InputError(f"an observer must return whole numbers, not {shown(value)}")
        if not -(2**63) <= value < 2**63:
            raise InputError("an observer must return whole numbers of at most 64 bits")
    if len(listed) != len(columns):
        raise InputError(f"it must return {', '.join(columns)}, in this order")
    return dict(zip(columns, listed, strict=True))
