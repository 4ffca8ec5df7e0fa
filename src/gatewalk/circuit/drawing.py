"""A circuit as a picture: SVG with the usual shapes of gates, inputs left and outputs right."""

from __future__ import annotations

from collections import Counter
from html import escape

from gatewalk.boolean.gates import is_symmetric
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.layout import Layout, Place, arrange
from gatewalk.circuit.text import source_names

_WIDTH, _HEIGHT = 46.0, 32.0  # of a gate
_GAP, _WIDEST_GAP = 54.0, 260.0  # between columns, for the wires
_SLOPE = 3.0  # how steep the steepest wire of a gap may be before the gap is widened
_MARGIN = 12.0
_PIN = 9.0  # between the inputs of a gate
_BUBBLE = 3.5
_HIDDEN = 5.0  # how far wires go on under a gate, whose left edge may be hollow
_LETTER = 7.2  # about the width of a letter
_LONGEST_LABEL = 24

_STYLE = (
    "text{font:12px Helvetica,Arial,sans-serif;fill:#1f2933;text-anchor:middle}"
    ".w{fill:none;stroke:#52606d;stroke-width:1.3}.g{fill:#fff;stroke:#1f2933;stroke-width:1.5}"
    ".i{fill:#dcebfa;stroke:#2b6cb0;stroke-width:1.2}.o{fill:#fdebd3;stroke:#b7791f;stroke-width:1.2}"
    ".d{fill:none;stroke:#1f2933;stroke-width:1.5}.n{font-size:10px}.m{font-size:8.5px;fill:#52606d}"
    ".p{font-size:7.5px;fill:#52606d}"
)


def _and(left: float, right: float) -> str:
    bend = left + (right - left) * 0.45
    nose = f"C{right - 6:g} 1 {right:g} 8 {right:g} 16S{right - 6:g} 31 {bend:g} 31"
    return f"M{left:g} 1H{bend:g}{nose}H{left:g}Z"


def _or(left: float, right: float) -> str:
    bend, hollow = left + 13, left + 8
    nose = f"C{bend + 13:g} 1 {right - 5:g} 9 {right:g} 16C{right - 5:g} 23 {bend + 13:g} 31 {bend:g} 31"
    return f"M{left:g} 1H{bend:g}{nose}H{left:g}C{hollow:g} 21 {hollow:g} 11 {left:g} 1Z"


def _triangle(left: float, right: float) -> str:
    return f"M{left:g} 2L{right:g} 16L{left:g} 30Z"


# The outline of a gate between two edges, and whether a bubble negates it.
_OUTLINES = {
    "and": (_and, False), "nand": (_and, True), "and3": (_and, False), "nand3": (_and, True),
    "or": (_or, False), "nor": (_or, True), "or3": (_or, False), "nor3": (_or, True),
    "xor": (_or, False), "xnor": (_or, True), "xor3": (_or, False), "xnor3": (_or, True),
    "buf": (_triangle, False), "not": (_triangle, True),
}  # fmt: skip
_DOUBLED = {"xor", "xnor", "xor3", "xnor3"}


def svg(circuit: Circuit) -> str:
    """The picture as SVG text."""
    layout = arrange(circuit)
    names = source_names(circuit)
    x, rights, total = _columns(circuit, layout)
    y = {place: at + _MARGIN for place, at in layout.y.items()}
    height = max((at + place.height / 2 for place, at in y.items()), default=0.0) + _MARGIN
    parts = _wires(circuit, layout, x, rights, y)
    for place in y:
        if place.kind == "output":
            label = circuit.output_labels[place.number]
            parts.append(_label(label, "o", x[place.layer], y[place]))
        elif place.kind == "source" and place.number < len(circuit.input_labels):
            left = rights[0] - _label_width(circuit.input_labels[place.number])
            parts.append(_label(circuit.input_labels[place.number], "i", left, y[place]))
        elif place.kind == "source":
            parts.append(_gate(circuit, place.number, names, x[place.layer], y[place]))
    size = f'width="{total:.0f}" height="{height:.0f}" viewBox="0 0 {total:.0f} {height:.0f}"'
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{_STYLE}</style>\n'
        f'<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n'
    )


def _columns(circuit: Circuit, layout: Layout) -> tuple[list[float], list[float], float]:
    """The left and the right edge of every layer, and the width of all."""
    inputs = max((_label_width(label) for label in circuit.input_labels), default=0.0)
    outputs = max((_label_width(label) for label in circuit.output_labels), default=0.0)
    gaps = _gaps(layout)
    lefts, rights = [_MARGIN], []
    for gap, width in zip(gaps, [inputs] + [_WIDTH] * (len(gaps) - 1), strict=True):
        rights.append(lefts[-1] + width)
        lefts.append(rights[-1] + gap)
    return lefts, rights, lefts[-1] + outputs + _MARGIN


def _gaps(layout: Layout) -> list[float]:
    """The room right of every layer but the last: more where wires climb high, to tell them apart."""
    gaps = [_GAP] * (len(layout.layers) - 1)
    for start, end in layout.wires:
        climb = abs(layout.y[end] - layout.y[start])
        gaps[start.layer] = max(gaps[start.layer], min(climb / _SLOPE, _WIDEST_GAP))
    return gaps


def _label_width(label: str) -> float:
    return _LETTER * len(_short(label)) + 14


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"


def _label(label: str, kind: str, left: float, middle: float) -> str:
    width = _label_width(label)
    box = (
        f'<rect class="{kind}" x="{left:.1f}" y="{middle - 11:.1f}" width="{width:.1f}" height="22" rx="5"/>'
    )
    text = f'<text x="{left + width / 2:.1f}" y="{middle + 4:.1f}">{escape(_short(label))}</text>'
    return f"<g><title>{escape(label)}</title>{box}{text}</g>"


def _gate(circuit: Circuit, source: int, names: tuple[str, ...], left: float, middle: float) -> str:
    node = circuit.nodes[source - len(circuit.input_labels)]
    read = ", ".join(names[number] for number in node.sources)
    title = escape(f"{names[source]} = {node.gate.name}({read})")
    head = f'<g transform="translate({left:.1f} {middle - _HEIGHT / 2:.1f})"><title>{title}</title>'
    return f"{head}{_shape(node.gate.name)}{_pin_letters(node)}{_name_inside(node, names[source])}</g>"


def _name_inside(node: Node, name: str) -> str:
    """The name that lists of gates call it by, in the middle of the shape or below the name of the gate."""
    outline = _OUTLINES.get(node.gate.name, (None, False))[0]
    at = {None: (_WIDTH / 2, 25.0), _triangle: (13.0, 19.0)}.get(outline, (_WIDTH * 0.45, 19.0))
    return f'<text class="m" x="{at[0]:g}" y="{at[1]:g}">{escape(name)}</text>'


def _pin_letters(node: Node) -> str:
    """Which input is which, where that matters."""
    if is_symmetric(node.gate):
        return ""
    offsets = _offsets(len(node.sources))
    return "".join(
        f'<text class="p" x="5" y="{_HEIGHT / 2 + offset + 2.5:g}">{letter}</text>'
        for letter, offset in zip("abc", offsets, strict=False)
    )


def _shape(name: str) -> str:
    if name not in _OUTLINES:
        box = f'<rect class="g" y="1" width="{_WIDTH:g}" height="{_HEIGHT - 2:g}" rx="4"/>'
        return f'{box}<text class="n" x="{_WIDTH / 2 + 2:g}" y="13.5">{escape(name)}</text>'
    outline, negated = _OUTLINES[name]
    right = _WIDTH - 2 * _BUBBLE if negated else _WIDTH
    shape = f'<path class="g" d="{outline(5 if name in _DOUBLED else 0, right)}"/>'
    if name in _DOUBLED:
        shape += '<path class="d" d="M0 1C8 11 8 21 0 31"/>'
    if negated:
        shape += f'<circle class="g" cx="{_WIDTH - _BUBBLE:g}" cy="{_HEIGHT / 2:g}" r="{_BUBBLE:g}"/>'
    return shape


def _wires(
    circuit: Circuit, layout: Layout, lefts: list[float], rights: list[float], y: dict[Place, float]
) -> list[str]:
    """Curves between the layers, straight lines through them, and dots where wires branch."""
    ends: dict[Place, list[Place]] = {}
    leaving: Counter[Place] = Counter()
    for start, end in layout.wires:
        ends.setdefault(end, []).append(start)
        leaving[start] += 1
    drawn = []
    for end, starts in ends.items():
        offsets = _pins(circuit, end, [y[start] for start in starts])
        for start, offset in zip(starts, offsets, strict=True):
            x1, x2 = rights[start.layer], lefts[end.layer]
            bend = (x2 - x1) / 2
            y1, y2 = y[start], y[end] + offset
            inside = {"wire": _WIDTH, "source": _HIDDEN}.get(end.kind, 0.0)
            curve = f"C{x1 + bend:.1f} {y1:.1f} {x2 - bend:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
            drawn.append(f'<path class="w" d="M{x1:.1f} {y1:.1f}{curve}h{inside:g}"/>')
    dots = [place for place, count in leaving.items() if count > 1 and place.kind == "wire"]
    drawn += [f'<circle cx="{rights[p.layer]:.1f}" cy="{y[p]:.1f}" r="2.2" fill="#52606d"/>' for p in dots]
    return drawn


def _pins(circuit: Circuit, end: Place, heights: list[float]) -> list[float]:
    """Where the wires meet a part, from its middle: in the gate's order unless that does not matter."""
    count = len(heights)
    order = list(range(count))
    if end.kind == "source" and is_symmetric(circuit.nodes[end.number - len(circuit.input_labels)].gate):
        order.sort(key=lambda j: heights[j])
    offsets = [0.0] * count
    for j, offset in zip(order, _offsets(count), strict=True):
        offsets[j] = offset
    return offsets


def _offsets(count: int) -> list[float]:
    """So many pins, evenly about the middle."""
    return [(position - (count - 1) / 2) * _PIN for position in range(count)]
