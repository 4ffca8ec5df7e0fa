"""PLA, the format of Espresso: products of literals for several outputs, with don't cares.

Format: espresso(5), University of California, Berkeley. .i .o .p .ilb .ob .type .e .end and comments are
read; .p must be the true number of products, so that a truncated file is noticed. In the output part 4 means
1, 3 means 0, 2 means -, and ~ means nothing. The meaning of the signs depends on the type: see
`circuit/covers.py`. `read_target` gives the specification; `read` gives the circuit that is 1 on the rows
listed for 1 and 0 on all others. Multiple-valued and symbolic inputs, other types and phases are refused.

A circuit is written as an irredundant sum of products of its table, of type f, with one line for each product
and the outputs that share it. In labels spaces and # become _; labels that are then alike get _2, _3, ...
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit, circuit_tables
from gatewalk.circuit.covers import TYPES, Cover, isop, ones_circuit
from gatewalk.circuit.files import Format, reached
from gatewalk.circuit.labels import distinct
from gatewalk.circuit.netlists import numbered_lines, whole_number_in
from gatewalk.circuit.own_targets import cover_target
from gatewalk.errors import InputError, shown

MOST_INPUTS = 16  # the most inputs of a circuit that is written, since its table is computed
MOST_SIGNALS = 1 << 16  # the most inputs, and the most outputs, of a file that is read

_BETWEEN = re.compile(r"[\s|]+")
_INPUT_PART = str.maketrans("2", "-")
_OUTPUT_PART = str.maketrans("432", "10-")


def write(circuit: Circuit) -> str:
    """The circuit as an irredundant sum of products of each output."""
    if not circuit.outputs:
        raise InputError("a PLA needs at least one output")
    n, m = len(circuit.input_labels), len(circuit.outputs)
    tables = circuit_tables(circuit, most_inputs=MOST_INPUTS, purpose="a PLA")
    shared: dict[str, set[int]] = {}
    for j, table in enumerate(tables):
        for cube in isop(table, n):
            shared.setdefault(cube, set()).add(j)
    if not shared:
        shared["-" * n] = set()  # ABC crashes on a PLA without products
    lines = [f".i {n}", f".o {m}"]
    if n:
        lines.append(" ".join([".ilb", *distinct(circuit.input_labels, _spell, {})]))
    lines += [
        " ".join([".ob", *distinct(circuit.output_labels, _spell, {})]),
        ".type f",
        f".p {len(shared)}",
    ]
    for cube, outputs in shared.items():
        lines.append(f"{cube} {''.join('1' if j in outputs else '0' for j in range(m))}".lstrip())
    return "\n".join([*lines, ".e", ""])


def _spell(label: str) -> str:
    return re.sub(r"[\s#\x00-\x1f\x7f]", "_", label) or "_"


def read(text: str) -> Circuit:
    """The circuit whose outputs are 1 on the rows listed for 1, and 0 on all others."""
    return ones_circuit(read_cover(text))


def read_target(text: str, name: str) -> Target:
    """The specification as a target: a table, or with too many inputs for one the netlist of its cubes."""
    return cover_target(read_cover(text), name)


def read_cover(text: str) -> Cover:
    """The specification in the text: its cubes with the rows that count for each output.

    >>> cover = read_cover(".i 2\\n.o 1\\n11 1\\n00 -\\n.e")
    >>> cover.type, cover.products
    ('fd', (('11', '1'), ('00', '-')))
    """
    parsed = _parse(text)
    return Cover(tuple(parsed.input_labels), tuple(parsed.output_labels), tuple(parsed.products), parsed.type)


@dataclass
class _Parsed:
    sizes: dict[str, int] = field(default_factory=dict)  # of .i, .o and .p
    input_labels: list[str] = field(default_factory=list)
    output_labels: list[str] = field(default_factory=list)
    type: str = "fd"
    products: dict[tuple[str, str], None] = field(default_factory=dict)  # each once, in order
    lines: int = 0  # of products


def _parse(text: str) -> _Parsed:
    parsed = _Parsed()
    line = 1
    for line, code in numbered_lines(text):
        if not code:
            continue
        if code.lstrip().startswith("."):
            # One word more than any statement has is enough to refuse it.
            words = code.split(None, MOST_SIGNALS + 1)
            if words[0] in (".e", ".end"):
                break
            _statement(parsed, line, words[0], words[1:])
        else:
            parsed.lines += 1
            parsed.products[_product(parsed, line, _BETWEEN.sub("", code))] = None
    reached(1, 1, "building the circuit")
    for size in (".i", ".o"):
        if size not in parsed.sizes:
            raise InputError(f"line {line}: the file has no {size}")
    declared = parsed.sizes.get(".p", parsed.lines)
    if declared != parsed.lines:
        raise InputError(f"line {line}: .p announces {declared:,} products, but there are {parsed.lines:,}")
    parsed.input_labels = parsed.input_labels or [f"x{i + 1}" for i in range(parsed.sizes[".i"])]
    parsed.output_labels = parsed.output_labels or [f"y{j + 1}" for j in range(parsed.sizes[".o"])]
    return parsed


def _statement(parsed: _Parsed, line: int, head: str, rest: list[str]) -> None:
    if head in (".i", ".o", ".p"):
        if len(rest) != 1:
            raise InputError(f"line {line}: {head} needs one number")
        most = MOST_SIGNALS if head != ".p" else 1 << 40
        if head in parsed.sizes:
            raise InputError(f"line {line}: a second {head}")
        parsed.sizes[head] = whole_number_in(rest[0], head, line, most)
        if head == ".o" and parsed.sizes[head] == 0:
            raise InputError(f"line {line}: a PLA needs at least one output")
    elif head in (".ilb", ".ob"):
        size = ".i" if head == ".ilb" else ".o"
        if len(rest) != parsed.sizes.get(size, -1):
            wanted = parsed.sizes.get(size, f"as many as {size}, which must come first,")
            raise InputError(f"line {line}: {head} needs {wanted} names, not {len(rest)}")
        if head == ".ilb":
            parsed.input_labels = rest
        else:
            parsed.output_labels = rest
    elif head == ".type":
        if len(rest) != 1 or rest[0] not in TYPES or parsed.products:
            raise InputError(f"line {line}: .type needs one of {', '.join(TYPES)}, before the products")
        parsed.type = rest[0]
    elif head == ".phase":
        if set("".join(rest)) != {"1"}:
            raise InputError(f"line {line}: .phase with complemented outputs is not supported")
    else:
        raise InputError(f"line {line}: unknown statement {shown(head)}")


def _product(parsed: _Parsed, line: int, signs: str) -> tuple[str, str]:
    if ".i" not in parsed.sizes or ".o" not in parsed.sizes:
        raise InputError(f"line {line}: a product before .i and .o")
    n, m = parsed.sizes[".i"], parsed.sizes[".o"]
    inputs, outputs = signs[:n].translate(_INPUT_PART), signs[n:].translate(_OUTPUT_PART)
    if len(signs) != n + m or inputs.strip("01-") or outputs.strip("01-~"):
        raise InputError(
            f"line {line}: a product here needs {n} characters of 0, 1 and - and {m} of 0, 1, - and ~, "
            f"not {shown(signs)}"
        )
    return inputs, outputs


FORMATS = (Format(suffixes=(".pla",), write=write, read=read, read_target=read_target),)
