"""The question "is there a circuit of exactly r gates?" as a formula for a SAT solver, and the way back.

The encoding is the one of Kojevnikov, Kulikov and Yaroslavtsev ("Finding efficient circuits using
SAT-solvers", SAT 2009) and Knuth (The Art of Computer Programming, 7.2.2.2, exercises 477 to 479), called
SSV by Haaswijk, Soeken, Mishchenko and De Micheli ("SAT-based exact synthesis: encodings, topology families,
and parallelism", 2020). Gates are called *steps*. A step chooses its operands among the inputs and earlier
steps (one variable for each choice) and its function (one variable for each bit of its table). Its value on
each row is a variable too. Four more constraints exclude no function, only repetitions of the same circuit:

- every step is an output, or a later step reads it;
- a step that does not read the one before it has operands that do not come earlier in the co-lexicographic
  order, and of two neighbours with the same operands the second has the larger table;
- if two inputs may be exchanged, the first of them is read first;
- no step reads a source together with another step that reads the same source, if the gate set allows this
  restriction (`exact_synthesis.absorbs`).

Among the smallest circuits, the one whose list of operands comes first in that order has all four properties.
So the formula has a model whenever the smallest circuit has exactly r gates. If a smaller circuit exists, the
formula may have no model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from itertools import count as count_from

_MOST_ORDERED = 16  # with more functions their order is not enforced: every pair of them would take a clause

Clauses = list[list[int]]
Operands = tuple[int, ...]  # ascending


@dataclass(frozen=True)
class Output:
    """One output over the rows of its question. No output is the same as an input.

    value, care: bit t of `value` is the value on row t; bit t of `care` says whether row t counts.
    """

    value: int
    care: int


@dataclass(frozen=True)
class Question:
    """What the steps have to compute, and which functions a step may have.

    rows: the number of rows. inputs: the values of each input, bit t on row t. functions: the tables that a
    step may have, by the number of operands. absorbing: whether no step needs to read both a source and a
    step that reads that source. apart: pairs of outputs that must be different sources. read: inputs that
    some step has to read. exchangeable: pairs p < q of inputs that may be exchanged.
    """

    rows: int
    inputs: tuple[int, ...]
    outputs: tuple[Output, ...]
    functions: Mapping[int, tuple[int, ...]]
    absorbing: bool
    apart: tuple[tuple[int, int], ...]
    read: tuple[int, ...]
    exchangeable: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Step:
    """A gate: the sources it reads, ascending, and its table over them."""

    operands: Operands
    table: int


@dataclass(frozen=True)
class Formula:
    """Clauses, and what their variables mean. The variable `TRUE` is always true.

    choices: for each step, the variable of each possible tuple of operands. bits: for each step and number of
    operands, the literals of the bits of its table. picks: for each output, the variable of each possible
    source.
    """

    clauses: Clauses
    choices: tuple[dict[Operands, int], ...]
    bits: tuple[dict[int, tuple[int, ...]], ...]
    picks: tuple[dict[int, int], ...]


TRUE = 1


def formula_for(question: Question, steps: int) -> Formula:
    """The formula whose models are the circuits of so many steps that answer the question and use every step.

    Circuits that the constraints of the module's docstring exclude are no models.
    """
    n = len(question.inputs)
    variables = count_from(TRUE + 1)
    choices = tuple(
        {
            operands: next(variables)
            for count in sorted(question.functions)
            for operands in combinations(range(n + i), count)
        }
        for i in range(steps)
    )
    picks = tuple({source: next(variables) for source in range(n, n + steps)} for _ in question.outputs)
    bits = tuple(
        {count: _table_bits(tables, count, variables) for count, tables in question.functions.items()}
        for _ in range(steps)
    )
    values = [[next(variables) for _ in range(question.rows)] for _ in range(steps)]
    formula = Formula([[TRUE]], choices, bits, picks)
    for i in range(steps):
        formula.clauses.append(list(choices[i].values()))
        for count, tables in question.functions.items():
            formula.clauses.extend(_only(tables, bits[i][count]))
        formula.clauses.extend(_computed(question, formula, values, i))
    formula.clauses.extend(_outputs(question, formula, values))
    formula.clauses.extend(_none_in_vain(formula, n))
    formula.clauses.extend(_ordered(question, formula, variables, n))
    formula.clauses.extend(_inputs_in_order(question, formula))
    if question.absorbing:
        formula.clauses.extend(_nothing_twice(formula, n))
    return formula


def _table_bits(tables: Sequence[int], count: int, variables: Iterator[int]) -> tuple[int, ...]:
    """A literal for each bit of a table: a new variable, or a constant where all tables agree on the bit."""
    bits = []
    for place in range(1 << count):
        ones = {table >> place & 1 for table in tables}
        bits.append(next(variables) if len(ones) > 1 else TRUE if ones == {1} else -TRUE)
    return tuple(bits)


def _only(tables: Sequence[int], bits: tuple[int, ...]) -> Iterator[list[int]]:
    """Clauses that exclude every setting of the bits that is not one of the tables."""
    free = [(place, bit) for place, bit in enumerate(bits) if abs(bit) != TRUE]
    mask = sum(1 << place for place, _ in free)
    allowed = {table & mask for table in tables}
    for pattern in product((0, 1), repeat=len(free)):
        table = sum(value << place for value, (place, _) in zip(pattern, free, strict=True))
        if table not in allowed:
            yield [-bit if value else bit for value, (_, bit) in zip(pattern, free, strict=True)]


def _computed(question: Question, formula: Formula, values: list[list[int]], i: int) -> Iterator[list[int]]:
    """Clauses: on every row, the value of step i is its function applied to its operands."""
    for operands, chosen in formula.choices[i].items():
        bits = formula.bits[i][len(operands)]
        for row in range(question.rows):
            mine = values[i][row]
            for assignment, wrong in _assignments(question, values, operands, row):
                bit = bits[assignment]
                if bit != TRUE:
                    yield [-chosen, *wrong, -mine, bit] if bit != -TRUE else [-chosen, *wrong, -mine]
                if bit != -TRUE:
                    yield [-chosen, *wrong, mine, -bit] if bit != TRUE else [-chosen, *wrong, mine]


def _assignments(
    question: Question, values: list[list[int]], operands: Operands, row: int
) -> Iterator[tuple[int, list[int]]]:
    """Every combination of values that the operands may have on a row, as a bit set.

    With each come literals of which one is true if the operands have other values.
    """
    n = len(question.inputs)
    known = 0
    unknown = []
    for j, operand in enumerate(operands):
        if operand < n:
            known |= (question.inputs[operand] >> row & 1) << j
        else:
            unknown.append((1 << j, values[operand - n][row]))
    for pattern in product((0, 1), repeat=len(unknown)):
        assignment = known
        wrong = []
        for value, (place, variable) in zip(pattern, unknown, strict=True):
            assignment |= place * value
            wrong.append(-variable if value else variable)
        yield assignment, wrong


def _outputs(question: Question, formula: Formula, values: list[list[int]]) -> Iterator[list[int]]:
    n = len(question.inputs)
    steps = len(values)
    for output, pick in zip(question.outputs, formula.picks, strict=True):
        if len(question.outputs) == 1:
            yield [pick[n + steps - 1]]  # no step reads the last one, so it must be the output
        yield list(pick.values())
        for source, picked in pick.items():
            for row in range(question.rows):
                if output.care >> row & 1:
                    value = values[source - n][row]
                    yield [-picked, value if output.value >> row & 1 else -value]
    for one, other in question.apart:
        for source in range(n, n + steps):
            yield [-formula.picks[one][source], -formula.picks[other][source]]
    for source in question.read:
        yield [chosen for operands, chosen in _all_choices(formula) if source in operands]


def _all_choices(formula: Formula) -> Iterator[tuple[Operands, int]]:
    for choices in formula.choices:
        yield from choices.items()


def _none_in_vain(formula: Formula, n: int) -> Iterator[list[int]]:
    for i in range(len(formula.choices)):
        readers = [
            chosen
            for choices in formula.choices[i + 1 :]
            for operands, chosen in choices.items()
            if n + i in operands
        ]
        yield [*readers, *(pick[n + i] for pick in formula.picks)]


def _ordered(question: Question, formula: Formula, variables: Iterator[int], n: int) -> Iterator[list[int]]:
    for i, (first, second) in enumerate(zip(formula.choices, formula.choices[1:], strict=False)):
        alike = {count: next(variables) for count in question.functions}  # the operands of both are the same
        for operands, chosen in second.items():
            if n + i in operands:
                continue
            yield from ([-chosen, -before] for other, before in first.items() if _precedes(operands, other))
            yield [-chosen, -first[operands], alike[len(operands)]]
        for count, tables in question.functions.items():
            one, other_bits = formula.bits[i][count], formula.bits[i + 1][count]
            for a, b in product(tables, tables) if len(tables) <= _MOST_ORDERED else ():
                if a >= b:
                    yield [-alike[count], *_differs(a, one), *_differs(b, other_bits)]


def _precedes(one: Operands, other: Operands) -> bool:
    """Whether the first comes earlier in co-lexicographic order."""
    return one[::-1] < other[::-1]


def _differs(table: int, bits: tuple[int, ...]) -> list[int]:
    return [-bit if table >> place & 1 else bit for place, bit in enumerate(bits) if abs(bit) != TRUE]


def _inputs_in_order(question: Question, formula: Formula) -> Iterator[list[int]]:
    """Clauses: of an exchangeable pair (p, q), a step that reads q and not p comes after one that reads p."""
    for p, q in question.exchangeable:
        seen: list[int] = []
        for choices in formula.choices:
            for operands, chosen in choices.items():
                if q in operands and p not in operands:
                    yield [-chosen, *seen]
            seen += [chosen for operands, chosen in choices.items() if p in operands]


def _nothing_twice(formula: Formula, n: int) -> Iterator[list[int]]:
    """Clauses: no step reads another step together with one of that step's operands."""
    for i, choices in enumerate(formula.choices):
        for operands, chosen in choices.items():
            if len(operands) != 2:
                continue
            for later in formula.choices[i + 1 :]:
                for operand in operands:
                    yield [-chosen, -later[operand, n + i]]


def read_model(formula: Formula, model: Sequence[int]) -> tuple[list[Step], list[int]]:
    """The steps that a model describes, and the source of every output."""
    true = {literal for literal in model if literal > 0} | {TRUE}
    steps = []
    for choices, bits in zip(formula.choices, formula.bits, strict=True):
        operands = next(operands for operands, chosen in choices.items() if chosen in true)
        table = sum((bit in true) << place for place, bit in enumerate(bits[len(operands)]))
        steps.append(Step(operands, table))
    return steps, [next(s for s, picked in pick.items() if picked in true) for pick in formula.picks]
