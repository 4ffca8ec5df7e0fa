"""All that a user's function may do: its runs on every outcome of its draws and on every program.

The function is run again and again. Each run follows a script, the number of the outcome at each place where
there are several, and takes the first outcome beyond it; the next script is the next leaf of the tree of all
outcomes. Two kinds of places branch: a draw, whose outcomes have probabilities, and a look at the program, at
one of its genes or at whether a node is active. So the program is not given either: a run learns only what it
looks at, and a tree says what the function does to all programs at once. That makes it independent of how
many there are; SAM on and:3 with three nodes has 21,600 programs and some 300 runs.

A loop may turn for ever, so a tree ends where the function pauses (`pauses`). There all that matters is the
place, the variables that are still read, and the program. The same place with the same variables is one
*position*, whatever the program; it has a tree of its own, for any program again, which is found by runs that
lead there and then forget what they knew of the program. Nothing is approximated; a function with too many
positions or outcomes is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, overload

from gatewalk.native.frozen import Frozen
from gatewalk.search.scheduler import OnProgress
from gatewalk.theory.chain.own.pauses import NotFollowed, with_pauses

MOST_STEPS = 2_000_000  # draws, looks and pauses of all runs, each of which counts as ten: some ten seconds
MOST_OUTCOMES = 400  # from the root of a tree to a leaf
PLAIN = (int, float, bool, str, range, type(None))

Spot: TypeAlias = tuple[Literal["active", "parent", "offspring"], int]  # a node, or a gene


class Draw(NamedTuple):
    """A draw: the probability of each outcome, and what follows it."""

    chances: tuple[float, ...]
    then: list[Tree]


class Look(NamedTuple):
    """A look at the program: what may be seen there, and what follows it."""

    spot: Spot
    values: tuple[int, ...]
    then: list[Tree]


class Leaf(NamedTuple):
    """The end of a tree: the genes written since its root, and the position that comes next.

    At the end of the function `position` is None, and `returned` is what it returned; `failed`: the error
    that it raised instead.
    """

    written: Mapping[int, int]
    position: int | None
    returned: object = None
    failed: Exception | None = None


Tree: TypeAlias = Draw | Look | Leaf


class _Paused(BaseException):
    """A run has come to the end of a tree, where it pauses."""


@dataclass(eq=False)
class Course:
    """A run: where its outcomes come from (a `Draws` for the twin), and what it has done so far.

    script: the outcomes to take. before: the number of pauses up to where the tree begins.
    path: the branches taken since the tree began, each with the number of its outcome.
    seen, written: what is known of the program, and the genes written, since the tree began.
    last, since: the last pause, and the numbers of all outcomes since; callers: the same as of each
    call under way. Together they say what a caller knows.
    """

    script: Sequence[int]
    before: int
    taken: int = 0
    pauses: int = 0
    path: list[tuple[Draw | Look, int]] = field(default_factory=list)
    seen: dict[Spot, int] = field(default_factory=dict)
    written: dict[int, int] = field(default_factory=dict)
    last: object = None
    since: list[int] = field(default_factory=list)
    callers: list[object] = field(default_factory=list)
    operands: tuple[object, ...] = ()
    next: object = None

    def gene(self, count: int) -> int:
        return self._uniform(count)

    def value(self, count: int) -> int:
        return self._uniform(count)

    def integer(self, bound: int) -> int:
        return self._uniform(bound)

    def chance(self, probability: float) -> bool:
        return bool(self._drawn((1.0 - probability, probability)))

    def gap(self, probability: float, most: int) -> int:
        rest = 1.0 - probability
        return self._drawn((*(rest**failures * probability for failures in range(most)), rest**most))

    def look(self, spot: Spot, values: Sequence[int]) -> int:
        """What the program has there, which is one of these values."""
        if spot not in self.seen:
            options = tuple(values)
            number = self._outcome(Look(spot, options, [])) if len(options) > 1 else 0
            self.seen[spot] = options[number]
        return self.seen[spot]

    def _uniform(self, count: int) -> int:
        return self._outcome(Draw((1.0 / count,) * count, [])) if count > 1 else 0

    def _drawn(self, chances: Sequence[float]) -> int:
        possible = [number for number, chance in enumerate(chances) if chance > 0.0]
        if len(possible) == 1:
            return possible[0]
        return possible[self._outcome(Draw(tuple(chances[number] for number in possible), []))]

    def _outcome(self, branch: Draw | Look) -> int:
        number = self.script[self.taken] if self.taken < len(self.script) else 0
        self.taken += 1
        self.since.append(number)
        if self.pauses == self.before:
            self.path.append((branch, number))
            if len(self.path) > MOST_OUTCOMES:
                raise NotFollowed(
                    f"it makes more than {MOST_OUTCOMES} draws whose outcomes are all still in use"
                )
        return number

    # What `pauses` tells of a run.
    def pause(self, place: int, live: Mapping[str, object]) -> None:
        names = tuple(
            (name, _plain(name, value)) for name, value in live.items() if not self._is_operand(value)
        )
        self.last, self.since = (tuple(self.callers), place, names), []
        self.pauses += 1
        if self.pauses > self.before:
            self.next = self.last
            raise _Paused
        self.seen.clear()
        self.written.clear()

    def called(self) -> None:
        self.callers.append((self.last, tuple(self.since)))

    def returned(self) -> None:
        self.callers.pop()

    def _is_operand(self, value: object) -> bool:
        return any(value is operand for operand in self.operands)


def _plain(name: str, value: object) -> str:
    """A value as a text that no other value has."""
    for part in _parts(value):
        if type(part) not in PLAIN:
            raise NotFollowed(
                f"{name} is a {type(part).__name__}, and what a function keeps must be numbers "
                "and tuples of numbers"
            )
    return repr(value)


def _parts(value: object) -> Iterator[object]:
    if type(value) is tuple:
        for part in value:
            yield from _parts(part)
    else:
        yield value


@dataclass(eq=False)
class Genes(MutableSequence[int]):
    """The genes of a program that is not given: a run looks at those that it reads.

    values[i]: what gene i may be. Only the genes of an offspring can be written.
    """

    course: Course
    of: Literal["parent", "offspring"]
    values: Sequence[Sequence[int]]

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, gene: int) -> int: ...
    @overload
    def __getitem__(self, gene: slice) -> list[int]: ...
    def __getitem__(self, gene: Any) -> Any:
        if isinstance(gene, slice):
            return [self[number] for number in range(*gene.indices(len(self)))]
        return self.course.look((self.of, gene), self.values[gene])

    def __setitem__(self, gene: Any, value: Any) -> None:
        self.course.seen["offspring", gene] = self.course.written[gene] = value

    def __delitem__(self, gene: Any) -> None:
        raise TypeError("a program keeps its genes")

    def insert(self, index: int, value: int) -> None:
        raise TypeError("a program keeps its genes")


@dataclass(eq=False)
class ActiveNodes:
    """Which nodes of the parent are active: a run looks at those that it asks for.

    first: the number of the first node as a source.
    """

    course: Course
    first: int

    def __contains__(self, source: object) -> bool:
        assert isinstance(source, int)
        return bool(self.course.look(("active", source - self.first), (0, 1)))


@dataclass(frozen=True, eq=False)
class Position:
    """A place in the code with values of its variables: a script that leads there, past so many pauses."""

    script: tuple[int, ...]
    before: int


# Calls a function with operands that take their outcomes from a course, of which the first argument is told.
Run = Callable[[Course, Callable[..., object]], object]


def trees_of(
    function: Frozen, run: Run, *, on_progress: OnProgress = lambda share, words: None
) -> list[Tree]:
    """What a function may do from each of its positions, of which the first is its beginning.

    run(course, function): calls the function with operands that draw from the course and look through it.
    """
    watch = _Watch()
    watched = with_pauses(function, watch)
    positions, numbers, trees = [Position((), 0)], dict[object, int](), list[Tree]()
    runs = steps = 0

    def leaf_of(course: Course) -> Leaf:
        watch.course = course
        try:
            returned = run(course, watched)
        except _Paused:
            pass
        except NotFollowed:
            raise
        except Exception as error:
            return Leaf({}, None, failed=error)
        else:
            return Leaf(dict(course.written), None, returned)
        if course.next not in numbers:
            numbers[course.next] = len(positions)
            script = [*course.script[:start], *(number for _, number in course.path)]
            positions.append(Position(tuple(script), course.pauses))
        return Leaf(dict(course.written), numbers[course.next])

    while len(trees) < len(positions):
        position = positions[len(trees)]
        start = len(position.script)
        script: list[int] = []
        root: Tree | None = None
        stack: list[Draw | Look] = []
        while True:
            course = Course((*position.script, *script), position.before)
            leaf = leaf_of(course)
            runs, steps = runs + 1, steps + 10 + course.taken + course.pauses
            if steps > MOST_STEPS:
                raise NotFollowed(
                    f"exact times would need more than its first {runs:,} outcomes; what multiplies them is "
                    "a variable that counts, or many draws that are kept"
                )
            if runs % 1000 == 0:
                on_progress(steps / MOST_STEPS, "outcomes of the draws")
            del stack[len(script) :]
            if any(now[:-1] != then[:-1] for (now, _), then in zip(course.path, stack, strict=False)):
                raise NotFollowed("it does not do the same each time")
            for tree in (*(branch for branch, _ in course.path[len(script) :]), leaf):
                if stack:
                    stack[-1].then.append(tree)
                else:
                    root = tree
                if not isinstance(tree, Leaf):
                    stack.append(tree)
            path = course.path
            while path and path[-1][1] + 1 == _outcomes(path[-1][0]):
                path.pop()
            if not path:
                break
            script = [number for _, number in path]
            script[-1] += 1
        assert root is not None
        trees.append(root)
    return trees


def _outcomes(branch: Draw | Look) -> int:
    return len(branch.chances if isinstance(branch, Draw) else branch.values)


@dataclass(eq=False)
class _Watch:
    """Hands what a run tells to the course under way."""

    course: Course = field(default_factory=lambda: Course((), 0))

    def pause(self, place: int, live: Mapping[str, object]) -> None:
        self.course.pause(place, live)

    def called(self) -> None:
        self.course.called()

    def returned(self) -> None:
        self.course.returned()


def merged(trees: Sequence[Tree]) -> list[Tree]:
    """The same trees, but positions from which the same follows are one, and none only leads to another.

    The first position stays the first. Positions are told apart only by what follows (partition refinement):
    a variable that does not matter, and what a caller knew and does not use, disappear.
    """
    passed = list(range(len(trees)))
    for number, tree in enumerate(trees):
        at, seen = tree, {number}
        while isinstance(at, Leaf) and not at.written and at.position is not None and at.position not in seen:
            seen.add(at.position)
            passed[number] = at.position
            at = trees[at.position]
    heads = [trees[head] for head in passed]
    classes, kinds = [0] * len(trees), 0
    while True:
        numbers: dict[object, int] = {}
        found = [numbers.setdefault(_shape(tree, classes), len(numbers)) for tree in heads]
        if len(numbers) == kinds:
            break
        classes, kinds = found, len(numbers)
    return [_renumbered(heads[classes.index(kind)], classes) for kind in range(kinds)]


def _shape(tree: Tree, classes: Sequence[int]) -> object:
    """A tree as a value that can be compared, with classes of positions."""
    if isinstance(tree, Leaf):
        position = None if tree.position is None else classes[tree.position]
        return tuple(sorted(tree.written.items())), position, repr(tree.returned), repr(tree.failed)
    return tree[:-1], tuple(_shape(then, classes) for then in tree.then)


def _renumbered(tree: Tree, classes: Sequence[int]) -> Tree:
    if isinstance(tree, Leaf):
        return tree if tree.position is None else tree._replace(position=classes[tree.position])
    return tree._replace(then=[_renumbered(then, classes) for then in tree.then])
