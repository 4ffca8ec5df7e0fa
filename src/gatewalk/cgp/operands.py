"""`program` and `random` in kernels: the types of what operators get, and their methods.

Every method is as in `gatewalk.reference.operators`, its literal twin, draw by draw. A number that is out of
range raises `InputError` here too, so an operator cannot reach memory that is not its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, make_attribute_wrapper, models, register_model

from gatewalk.cgp.evaluators import is_active
from gatewalk.cgp.large import Large
from gatewalk.cgp.observers import on_change
from gatewalk.cgp.program import Changes, change, hit, touch
from gatewalk.cgp.slots import FUNCTION, OUTPUT, gene_of, others_of
from gatewalk.cgp.small import Small
from gatewalk.errors import InputError
from gatewalk.native.draws import Gaps, next_gap
from gatewalk.native.held import Held, attribute, constant_at, holder, method, set_word, whole, word_of
from gatewalk.native.jit import by_kind, inlined, internal
from gatewalk.native.stream import Registers, next_word, pick, unit

_ZERO, _ONE, _LOW = np.uint64(0), np.uint64(1), np.uint64(0xFFFFFFFF)
_DRAWS, _DRAWS_PER_GENE = np.uint64(1_000_000), np.uint64(1_000)  # as `reference.operators.most_draws`
_TOO_MANY = "too many draws for one offspring; does its loop end?"
_NO_GENE = "there is no gene of this number"
_NO_VALUE = "program.set: the gene cannot have this value"
_NO_NODE = "there is no node of this number"


class RandomType(Held):
    """`random`: the state of the stream; a spare half word, and whether there is one; draws left; genes."""

    words = 8


class RecordType(Held):
    """What an operator has done to an offspring so far: the fields of `Changes`."""

    words = 3


_A, _B, _C, _D, _SPARE, _HAS_SPARE, _LEFT, _GENES = range(8)
TOUCHED, HITS, STEPS = range(3)
_RECORD = RecordType()

# Their words are in the frame of the function that calls these, so it must be the one that uses the object.
hold_random: Any = holder(RandomType())  # hold_random(random_words(registers, genes)) -> a `random`
hold_record: Any = holder(_RECORD)  # hold_record(NOTHING_DONE) -> the record of an offspring
NOTHING_DONE = (_ZERO, _ZERO, _ZERO)


@inlined
def random_words(registers: Registers, genes: np.uint64) -> Any:
    """The words of a `random` that goes on from this state of the stream, for a program of so many genes."""
    a, b, c, d = registers
    return a, b, c, d, _ZERO, _ZERO, _DRAWS + _DRAWS_PER_GENE * genes, genes


@inlined
def registers_of(random: Any) -> Registers:
    """The state of the stream."""
    return word_of(random, _A), word_of(random, _B), word_of(random, _C), word_of(random, _D)


@inlined
def put_registers(random: Any, registers: Registers) -> None:
    """Let the stream go on from this state."""
    a, b, c, d = registers
    set_word(random, _A, a)
    set_word(random, _B, b)
    set_word(random, _C, c)
    set_word(random, _D, d)


@inlined
def _count(random: Any) -> None:
    left = word_of(random, _LEFT)
    if left == _ZERO:
        raise InputError(_TOO_MANY)
    set_word(random, _LEFT, left - _ONE)


@inlined
def _pick(random: Any, bound: np.uint64) -> np.uint64:
    """Uniform on [0, bound); the other half of the word is left for the next change."""
    _count(random)
    choice, spare, registers = pick(registers_of(random), bound)
    put_registers(random, registers)
    set_word(random, _SPARE, spare)
    set_word(random, _HAS_SPARE, _ONE)
    return choice


@inlined
def _unit(random: Any, probability: float) -> float:
    """Uniform on [0, 1), for a draw with this probability."""
    if not 0.0 <= probability <= 1.0:
        raise InputError("a probability must be from 0 to 1")
    _count(random)
    value, registers = unit(registers_of(random))
    put_registers(random, registers)
    return value


@method(RandomType, "gene")
def _gene(random, program):  # type: ignore[no-untyped-def]
    return np.int64(_pick(random, np.uint64(program._program.slots.size)))


@method(RandomType, "connection")
def _any_connection(random, program):  # type: ignore[no-untyped-def]
    arity = program._program.arity
    choice = _pick(random, program._program.nodes * arity)
    return np.int64(choice // arity * (arity + _ONE) + _ONE + choice % arity)


@method(RandomType, "integer")
def _integer(random, bound):  # type: ignore[no-untyped-def]
    most = whole(bound)
    if most - _ONE >= _LOW:
        raise InputError("random.integer needs a bound from 1 to 2^32 - 1")
    _count(random)
    choice, _, registers = pick(registers_of(random), most)
    put_registers(random, registers)
    return np.int64(choice)


@method(RandomType, "chance")
def _chance(random, probability):  # type: ignore[no-untyped-def]
    return _unit(random, probability) < probability


@method(RandomType, "gap")
def _gap(random, probability):  # type: ignore[no-untyped-def]
    left = 1.0 - _unit(random, probability)
    failures, all_fail = _ZERO, 1.0 - probability
    while failures < word_of(random, _GENES) and left <= all_fail:
        failures += _ONE
        all_fail *= 1.0 - probability
    return np.int64(failures)


@inlined
def gap_of(random: Any, gaps: Gaps) -> tuple[np.uint64, bool]:
    """`next_gap`, for a probability whose thresholds are known."""
    left_out, ends, registers = next_gap(gaps, registers_of(random))
    put_registers(random, registers)
    return left_out, ends


class OffspringType(types.Type):  # type: ignore[misc]
    """`program`: an offspring that is made. parts: the types of program, evaluator, state and observer."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts
        super().__init__(name=f"gatewalk.Offspring({', '.join(map(str, parts))})")


_MEMBERS = ("program", "evaluator", "state", "observer", "record")


@register_model(OffspringType)
class _OffspringModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, list(zip(_MEMBERS, (*fe_type.parts, _RECORD), strict=True)))


for _member in _MEMBERS:
    make_attribute_wrapper(OffspringType, _member, f"_{_member}")


@intrinsic
def offspring_of(typing, program, evaluator, state, observer, record):  # type: ignore[no-untyped-def]
    """A `program` whose changes go into the record."""
    kind = OffspringType(program, evaluator, state, observer)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        made = cgutils.create_struct_proxy(signature.return_type)(context, builder)
        for name, value in zip(_MEMBERS, arguments, strict=True):
            setattr(made, name, value)
        return made._getvalue()

    return kind(program, evaluator, state, observer, record), generate


@internal
def _listed_once(program: Large, evaluator: Any, state: Any) -> np.uint64:
    """List the active genes that differ from the parent's, each once."""
    hits = _ZERO
    for number in range(program.slots.size):
        slot = program.slots[number]
        gene = gene_of(slot)
        if is_active(evaluator, program, state, slot) and program.genes[gene] != program.parent[gene]:
            hits = hit(program, hits, slot)
    return hits


@inlined
def _of_small(program: Small, evaluator: Any, state: Any, hits: np.uint64) -> np.uint64:
    return hits


@inlined
def _of_large(program: Large, evaluator: Any, state: Any, hits: np.uint64) -> np.uint64:
    return hits if hits <= np.uint64(program.hit.size) else _listed_once(program, evaluator, state)


_all_hits: Any = by_kind(
    {Small: _of_small, Large: _of_large}
)  # the hits, also if they were too many for the list


@inlined
def changes_of(offspring: Any) -> Changes:
    """What was done to it."""
    record = offspring._record
    hits = _all_hits(offspring._program, offspring._evaluator, offspring._state, word_of(record, HITS))
    return Changes(word_of(record, TOUCHED), hits, word_of(record, STEPS))


@inlined
def _slot_of(offspring: Any, gene: Any) -> np.uint64:
    slots, place = offspring._program.slots, whole(gene)
    if place >= np.uint64(slots.size):
        raise InputError(_NO_GENE)
    return np.uint64(constant_at(slots, place))


@inlined
def _kind_of(offspring: Any, gene: Any) -> np.uint64:
    kinds, place = offspring._program.kinds, whole(gene)
    if place >= np.uint64(kinds.size):
        raise InputError(_NO_GENE)
    return np.uint64(constant_at(kinds, place))


@method(OffspringType, "is_function")
def _is_function(program, gene):  # type: ignore[no-untyped-def]
    return _kind_of(program, gene) == FUNCTION


@method(OffspringType, "is_output")
def _is_output(program, gene):  # type: ignore[no-untyped-def]
    return _kind_of(program, gene) == OUTPUT


@method(OffspringType, "is_connection")
def _is_connection(program, gene):  # type: ignore[no-untyped-def]
    kind = _kind_of(program, gene)
    return kind != FUNCTION and kind != OUTPUT


@method(OffspringType, "node")
def _node(program, gene):  # type: ignore[no-untyped-def]
    if _kind_of(program, gene) == OUTPUT:
        return np.int64(program._program.nodes)
    return np.int64(whole(gene) // (program._program.arity + _ONE))


@method(OffspringType, "function")
def _function(program, node):  # type: ignore[no-untyped-def]
    if whole(node) >= program._program.nodes:
        raise InputError(_NO_NODE)
    return np.int64(whole(node) * (program._program.arity + _ONE))


@method(OffspringType, "connection")
def _connection(program, node, number):  # type: ignore[no-untyped-def]
    if whole(node) >= program._program.nodes:
        raise InputError(_NO_NODE)
    if whole(number) >= program._program.arity:
        raise InputError("there is no connection of this number")
    return np.int64(whole(node) * (program._program.arity + _ONE) + _ONE + whole(number))


@method(OffspringType, "output")
def _output(program, number):  # type: ignore[no-untyped-def]
    if whole(number) >= program._program.outputs:
        raise InputError("there is no output of this number")
    return np.int64(program._program.nodes * (program._program.arity + _ONE) + whole(number))


@method(OffspringType, "value")
def _value(program, gene):  # type: ignore[no-untyped-def]
    _slot_of(program, gene)
    return np.int64(program._program.genes[program._program.places[whole(gene)]])


@method(OffspringType, "parent_value")
def _parent_value(program, gene):  # type: ignore[no-untyped-def]
    _slot_of(program, gene)
    return np.int64(program._program.parent[program._program.places[whole(gene)]])


@method(OffspringType, "values")
def _values(program, gene):  # type: ignore[no-untyped-def]
    return np.int64(others_of(_slot_of(program, gene)) + _ONE)


@method(OffspringType, "is_active")
def _is_active(program, gene):  # type: ignore[no-untyped-def]
    return is_active(program._evaluator, program._program, program._state, _slot_of(program, gene))


@inlined
def _note(offspring: Any, slot: np.uint64, touched: np.uint64) -> None:
    record = offspring._record
    set_word(record, TOUCHED, touched)
    set_word(record, STEPS, word_of(record, STEPS) + _ONE)
    active = is_active(offspring._evaluator, offspring._program, offspring._state, slot)
    if active and others_of(slot) != _ZERO:
        set_word(record, HITS, hit(offspring._program, word_of(record, HITS), slot))


@method(OffspringType, "change")
def _change(program, gene, random):  # type: ignore[no-untyped-def]
    slot, touched = _slot_of(program, gene), word_of(program._record, TOUCHED)
    spare, registers = word_of(random, _SPARE), registers_of(random)
    if word_of(random, _HAS_SPARE) == _ZERO:
        _count(random)
        fresh, registers = next_word(registers)
        spare = fresh & _LOW
    set_word(random, _HAS_SPARE, _ZERO)
    touched, registers = change(program._program, touched, slot, spare, registers, program._observer)
    put_registers(random, registers)
    _note(program, slot, touched)


@method(OffspringType, "set")
def _set(program, gene, value):  # type: ignore[no-untyped-def]
    slot, held, new = _slot_of(program, gene), program._program, whole(value)
    if word_of(program._record, STEPS) >= _DRAWS + _DRAWS_PER_GENE * np.uint64(held.slots.size):
        raise InputError(_TOO_MANY)
    place, index = np.uint64(held.places[whole(gene)]), new
    if held.far and new >= held.skip_from[place]:
        index = new - held.skip[place]
        if new < held.skip_from[place] + held.skip[place]:
            raise InputError(_NO_VALUE)
    if index > others_of(slot):
        raise InputError(_NO_VALUE)
    written = gene_of(slot)
    old = np.uint64(held.genes[written])
    held.genes[written] = new
    on_change(program._observer, written, old, new)
    _note(program, slot, touch(held, word_of(program._record, TOUCHED), slot))


@attribute(OffspringType, "genes")
def _genes(program):  # type: ignore[no-untyped-def]
    return np.int64(program._program.slots.size)


@attribute(OffspringType, "nodes")
def _nodes(program):  # type: ignore[no-untyped-def]
    return np.int64(program._program.nodes)


@attribute(OffspringType, "inputs")
def _inputs(program):  # type: ignore[no-untyped-def]
    return np.int64(program._program.inputs)


@attribute(OffspringType, "outputs")
def _outputs(program):  # type: ignore[no-untyped-def]
    return np.int64(program._program.outputs)


@attribute(OffspringType, "arity")
def _arity(program):  # type: ignore[no-untyped-def]
    return np.int64(program._program.arity)
