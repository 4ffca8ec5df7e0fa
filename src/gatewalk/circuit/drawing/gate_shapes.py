"""The distinctive shapes of gates (ANSI/IEEE Std 91-1984), and a box with its name for any other gate."""

from __future__ import annotations

from collections.abc import Callable

from gatewalk.boolean.gates import Gate, is_symmetric
from gatewalk.circuit.drawing.layout import gate_height, pin_offsets
from gatewalk.circuit.drawing.picture import Disc, Mark, Shape, Step, Words, rounded_box

GATE_WIDTH = 46.0
_BUBBLE = 3.5
_SHORT_KIND, _LONGEST_KIND = 6, 8  # letters

Outline = Callable[[float, float, float], tuple[Step, ...]]


def _and(left: float, right: float, half: float) -> tuple[Step, ...]:
    bend = left + (right - left) * 0.45
    return (
        ("M", (left, -half)),
        ("L", (bend, -half)),
        ("C", (right - 6, -half, right, -half / 2, right, 0)),
        ("C", (right, half / 2, right - 6, half, bend, half)),
        ("L", (left, half)),
        ("Z", ()),
    )


def _or(left: float, right: float, half: float) -> tuple[Step, ...]:
    bend, hollow = left + 13, left + 8
    return (
        ("M", (left, -half)),
        ("L", (bend, -half)),
        ("C", (bend + 13, -half, right - 5, -half / 2, right, 0)),
        ("C", (right - 5, half / 2, bend + 13, half, bend, half)),
        ("L", (left, half)),
        ("C", (hollow, half / 3, hollow, -half / 3, left, -half)),
        ("Z", ()),
    )


def _triangle(left: float, right: float, half: float) -> tuple[Step, ...]:
    return ("M", (left, -half)), ("L", (right, 0)), ("L", (left, half)), ("Z", ())


# For each gate, the function that makes its outline, and whether a bubble negates it.
_OUTLINES: dict[str, tuple[Outline, bool]] = {
    "and": (_and, False), "nand": (_and, True), "and3": (_and, False), "nand3": (_and, True),
    "or": (_or, False), "nor": (_or, True), "or3": (_or, False), "nor3": (_or, True),
    "xor": (_or, False), "xnor": (_or, True), "xor3": (_or, False), "xnor3": (_or, True),
    "buf": (_triangle, False), "not": (_triangle, True),
}  # fmt: skip
_DOUBLED = {"xor", "xnor", "xor3", "xnor3"}


def gate_marks(gate: Gate, name: str, x: float, y: float, *, faded: bool) -> tuple[Mark, ...]:
    """The shape of a gate with its name; x is its left edge and y its middle."""
    marks = _box(gate, faded) if gate.name not in _OUTLINES else _shape(gate.name, faded)
    marks += _letters(gate, faded)
    marks.append(_name(gate, name, faded))
    return tuple(_moved(mark, x, y) for mark in marks)


def input_depth(gate: Gate, offset: float) -> float:
    """How far right of its left edge the outline of a gate begins, at a height `offset` from the middle."""
    if gate.name not in _OUTLINES or _OUTLINES[gate.name][0] is not _or:
        return 0.0
    half = gate_height(gate.arity) / 2 - 1
    return 6 * (1 - (offset / half) ** 2)  # the cubic curve of `_or` is a parabola


def _shape(kind: str, faded: bool) -> list[Mark]:
    outline, negated = _OUTLINES[kind]
    half = gate_height(2) / 2 - 1
    right = GATE_WIDTH - 2 * _BUBBLE if negated else GATE_WIDTH
    marks: list[Mark] = [Shape("gate", outline(5 if kind in _DOUBLED else 0, right, half), faded)]
    if kind in _DOUBLED:
        curve: tuple[Step, ...] = (("M", (0, -half)), ("C", (8, -half / 3, 8, half / 3, 0, half)))
        marks.append(Shape("line", curve, faded))
    if negated:
        marks.append(Disc("gate", GATE_WIDTH - _BUBBLE, 0, _BUBBLE, faded))
    return marks


def _box(gate: Gate, faded: bool) -> list[Mark]:
    half = gate_height(gate.arity) / 2 - 1
    kind = gate.name if len(gate.name) <= _LONGEST_KIND else gate.name[: _LONGEST_KIND - 1] + "…"
    return [
        Shape("gate", rounded_box(0, -half, GATE_WIDTH, 2 * half, 4), faded),
        Words(
            "kind" if len(kind) <= _SHORT_KIND else "long_kind",
            GATE_WIDTH / 2 + (0 if is_symmetric(gate) else 3),
            -2.5,
            kind,
            faded,
        ),
    ]


def _letters(gate: Gate, faded: bool) -> list[Mark]:
    """The letters that tell the inputs apart, where their order matters."""
    if is_symmetric(gate):
        return []
    return [
        Words("pin", 5, offset + 2.5, _letter(j), faded) for j, offset in enumerate(pin_offsets(gate.arity))
    ]


def _letter(j: int) -> str:
    return chr(ord("a") + j) if j < 26 else ""


def _name(gate: Gate, name: str, faded: bool) -> Mark:
    """The name of the gate in listings, in the middle of the shape or below the kind of the gate."""
    if gate.name not in _OUTLINES:
        return Words("name", GATE_WIDTH / 2 + (0 if is_symmetric(gate) else 3), 9, name, faded)
    middle = 13.0 if _OUTLINES[gate.name][0] is _triangle else GATE_WIDTH * 0.45
    if gate.name in _DOUBLED:
        middle += 3
    return Words("name", middle, 3, name, faded)


def _moved(mark: Mark, x: float, y: float) -> Mark:
    if isinstance(mark, Shape):
        steps: tuple[Step, ...] = tuple(
            (letter, tuple(value + (y if i % 2 else x) for i, value in enumerate(numbers)))
            for letter, numbers in mark.steps
        )
        return Shape(mark.role, steps, mark.faded)
    if isinstance(mark, Disc):
        return Disc(mark.role, mark.x + x, mark.y + y, mark.radius, mark.faded)
    return Words(mark.role, mark.x + x, mark.y + y, mark.text, mark.faded, mark.anchor)
