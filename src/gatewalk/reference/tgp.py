"""The (1+lambda) TGP with HVL-prime, literally, in plain Python.

HVL-prime: Neumann, O'Reilly and Wagner (2011), Mambrini and Oliveto (2016). A tree consists of nodes that
know their children and their parent; every offspring is a copy of its parent, and every program is evaluated
row by row. Leaves and inner nodes are listed in the order in which they were added; when one is deleted, the
last of its list takes its place. A uniform node is drawn from the leaves followed by the inner nodes. The
names of options are those of `gatewalk.tgp.tgp_search.TgpLaw`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

from gatewalk.boolean.gates import Gate
from gatewalk.reference.stream import Stream

Rows = Sequence[tuple[tuple[int, ...], int]]  # (value of every input, wanted output)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The space of trees and the rules of the search, as plain values.

    inputs: the number of inputs of the training rows, undesired ones last.
    negated: whether the negations of the inputs are terminals too, numbered after them.
    """

    inputs: int
    functions: tuple[Gate, ...]
    training: Rows
    negated: bool = False
    multi: bool = False
    strict: bool = False
    offspring: int = 1
    insert_at: str = "node"
    delete_at: str = "leaf"
    substitution: str = "leaves"
    child_order: str = "random"
    empty: str = "never"
    size_limit: int | None = None
    ties: str = "accept"
    starts: int = 1

    @property
    def terminals(self) -> int:
        return 2 * self.inputs if self.negated else self.inputs


class Node:
    """A leaf with a terminal, or an inner node with a function and two children."""

    def __init__(self, label: int, left: Node | None = None, right: Node | None = None) -> None:
        self.label = label
        self.left = left
        self.right = right
        self.parent: Node | None = None
        for child in (left, right):
            if child is not None:
                child.parent = self

    def sibling(self, child: Node) -> Node:
        other = self.right if self.left is child else self.left
        assert other is not None
        return other


@dataclass
class Tree:
    """The nodes of a tree, in the order that the module's docstring explains; the empty tree has no root."""

    root: Node | None
    leaves: list[Node]
    inner: list[Node]

    @property
    def nodes(self) -> list[Node]:
        return self.leaves + self.inner

    def replace(self, old: Node, new: Node) -> None:
        """Put a new node in the place of an old one."""
        above = old.parent
        new.parent = above
        if above is None:
            self.root = new
        elif above.left is old:
            above.left = new
        else:
            above.right = new


def leaf_tree(terminal: int) -> Tree:
    """The tree of one leaf."""
    leaf = Node(terminal)
    return Tree(leaf, [leaf], [])


def program(tree: Tree) -> list[int]:
    """The tree as numbers: root, terminals of the leaves, then function, left, right of inner nodes.

    A leaf is referred to by -1 minus its index in the list, an inner node by its index.
    """
    if tree.root is None:
        return []
    name = {id(node): -1 - place for place, node in enumerate(tree.leaves)}
    name |= {id(node): place for place, node in enumerate(tree.inner)}
    numbers = [name[id(tree.root)], *(leaf.label for leaf in tree.leaves)]
    for node in tree.inner:
        numbers += [node.label, name[id(node.left)], name[id(node.right)]]
    return numbers


def tree_of(numbers: Sequence[int]) -> Tree:
    """The tree that `program` wrote."""
    if not numbers:
        return Tree(None, [], [])
    count = (len(numbers) + 2) // 4
    leaves = [Node(terminal) for terminal in numbers[1 : 1 + count]]
    inner = [Node(label) for label in numbers[1 + count :: 3]]

    def named(name: int) -> Node:
        return leaves[-1 - name] if name < 0 else inner[name]

    for place, node in enumerate(inner):
        left, right = numbers[2 + count + 3 * place], numbers[3 + count + 3 * place]
        node.left, node.right = named(left), named(right)
        node.left.parent = node.right.parent = node
    return Tree(named(numbers[0]), leaves, inner)


def remove(listed: list[Node], node: Node) -> None:
    """Remove a node from its list; the last one takes its place."""
    place = next(i for i, one in enumerate(listed) if one is node)
    last = listed.pop()
    if last is not node:
        listed[place] = last


def descend(tree: Tree, stream: Stream) -> Node:
    """The leaf that fair coins lead to from the root: bits of a word, the highest first, 1 is right."""
    node = tree.root
    assert node is not None
    word, bits = 0, 0
    while node.left is not None and node.right is not None:
        if bits == 0:
            word, bits = stream.word(), 64
        bits -= 1
        node = node.right if word >> bits & 1 else node.left
    return node


def substitute(s: Rules, y: Tree, stream: Stream, spare: int) -> None:
    """Give a uniform leaf a uniform terminal; or an inner node a function, as `substitution` says."""
    candidates = {"leaves": y.leaves, "functions": y.inner, "both": y.nodes}[s.substitution]
    if not candidates:
        return
    v = candidates[stream.below_from(spare, len(candidates))]
    v.label = stream.below(s.terminals if v.left is None else len(s.functions))


def insert(s: Rules, y: Tree, stream: Stream, spare: int) -> None:
    """Replace a node v by f(v, u) or f(u, v), with a new leaf u."""
    if y.root is None:
        leaf = Node(stream.below(s.terminals))
        y.root = leaf
        y.leaves.append(leaf)
        return
    if s.insert_at == "descent":
        v = descend(y, stream)
    else:
        candidates = y.leaves if s.insert_at == "leaf" else y.nodes
        v = candidates[stream.below_from(spare, len(candidates))]
    terminal, half = stream.pick(s.terminals)
    function, u_first = 0, True
    if s.child_order == "random":
        choice = stream.below_from(half, 2 * len(s.functions))
        function, u_first = choice // 2, choice % 2 == 0
    elif len(s.functions) > 1:
        function = stream.below_from(half, len(s.functions))
    u = Node(terminal)
    f = Node(function)
    y.replace(v, f)
    f.left, f.right = (u, v) if u_first else (v, u)
    u.parent = v.parent = f
    y.leaves.append(u)
    y.inner.append(f)


def delete(s: Rules, y: Tree, stream: Stream, spare: int) -> None:
    """Delete a leaf; its sibling replaces their parent."""
    if y.root is None or (len(y.leaves) == 1 and s.empty == "never"):
        return
    if len(y.leaves) == 1:
        y.root = None
        y.leaves.clear()
        return
    if s.delete_at == "descent":
        v = descend(y, stream)
    else:
        v = y.leaves[stream.below_from(spare, len(y.leaves))]
    parent = v.parent
    assert parent is not None
    y.replace(parent, parent.sibling(v))
    remove(y.leaves, v)
    remove(y.inner, parent)


def hvl_prime(s: Rules, y: Tree, stream: Stream) -> None:
    """One step: substitute, insert or delete, with equal probability; no substitution if that is off."""
    operators = [insert, delete] if s.substitution == "off" else [substitute, insert, delete]
    operator, spare = stream.pick(len(operators))
    operators[operator](s, y, stream, spare)


# 1/e to 60 digits: the alternating series of 1/k!, up to where its terms vanish.
INVERSE_E = sum((Fraction((-1) ** k, factorial(k)) for k in range(50)), Fraction(0))


def poisson(stream: Stream) -> int:
    """Poisson(1) by inversion: the number of j with w >= floor(2^64 P(X <= j)) for a random word w."""
    word = stream.word()
    j, mass = 0, Fraction(1)
    while word >= int(mass * INVERSE_E * 2**64):
        j += 1
        mass += Fraction(1, factorial(j))
        if j == 21:  # floor(2^64 P(X <= 20)) is the largest word, so no word goes further
            break
    return j


def mutation(s: Rules, x: Tree, stream: Stream) -> tuple[Tree, int]:
    """An offspring of x, and the number of steps: 1, or 1 + Poisson(1)."""
    y = tree_of(program(x))
    steps = 1 + poisson(stream) if s.multi else 1
    for _ in range(steps):
        hvl_prime(s, y, stream)
    return y, steps


def output(s: Rules, x: Tree, row: tuple[int, ...]) -> int:
    """The output of x on one row; the children of a node are computed before the node."""
    if x.root is None:
        return int(s.empty == "true")
    value: dict[int, int] = {}
    stack = [x.root]
    while stack:
        node = stack[-1]
        if node.left is None or node.right is None:
            bit = row[node.label % s.inputs]
            value[id(node)] = 1 - bit if node.label >= s.inputs else bit
            stack.pop()
        elif id(node.left) not in value:
            stack.append(node.left)
        elif id(node.right) not in value:
            stack.append(node.right)
        else:
            value[id(node)] = s.functions[node.label](value[id(node.left)], value[id(node.right)])
            stack.pop()
    return value[id(x.root)]


def fitness(s: Rules, x: Tree) -> int:
    """The number of mismatches over the rows of the training set."""
    return sum(output(s, x, row) != wanted for row, wanted in s.training)


@dataclass
class Step:
    """The search after some iterations: the parent, its fitness, and the counters."""

    x: Tree
    fitness: int
    iterations: int
    elementary_steps: int


def first_parent(s: Rules, stream: Stream) -> Tree:
    """The start: a uniform leaf, or the best of several if `starts` says so."""
    best: Tree | None = None
    best_fitness, equals = 0, 0
    for _ in range(s.starts):
        x = leaf_tree(stream.below(s.terminals))
        f = fitness(s, x)
        if best is None or f < best_fitness:
            best, best_fitness, equals = x, f, 1
        elif f == best_fitness and not s.strict:
            equals += 1
            if stream.below(equals) == 0:
                best = x
    assert best is not None
    return best


def tgp(s: Rules, stream: Stream, *, x: Tree | None = None, limit: int) -> Iterator[Step]:
    """The (1+lambda) TGP: the state after the start and after each generation."""
    x = first_parent(s, stream) if x is None else x
    step = Step(x, fitness(s, x), 0, 0)
    yield step
    while step.fitness > 0 and step.iterations < limit:
        yield generation(s, step, stream, limit)


def generation(s: Rules, step: Step, stream: Stream, limit: int) -> Step:
    """One turn of the loop, which updates `step`."""
    best: Tree | None = None
    best_fitness: float = 0
    equals = 0
    for _ in range(s.offspring):
        y, steps = mutation(s, step.x, stream)
        too_large = s.size_limit is not None and len(y.leaves) > s.size_limit
        f = float("inf") if too_large else fitness(s, y)
        step.iterations += 1
        step.elementary_steps += steps
        if best is None or f < best_fitness:
            best, best_fitness, equals = y, f, 1
        elif f == best_fitness:
            equals += 1
            if stream.below(equals) == 0:
                best = y
        if best_fitness == 0 or step.iterations >= limit:
            break
    assert best is not None
    if best_fitness < step.fitness or (best_fitness == step.fitness and _tie(s, stream, equals)):
        step.x, step.fitness = best, int(best_fitness)
    return step


def _tie(s: Rules, stream: Stream, equals: int) -> bool:
    """Whether an offspring replaces the parent, if `equals` offspring are as fit as it."""
    return not s.strict and (s.ties == "accept" or stream.below(equals + 1) != 0)
