"""A cover as a circuit of its cubes: an or gate over and gates, for any number of inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cover import Cover, Cube
from gatewalk.circuit.cubes import Cubes, add_cubes
from gatewalk.circuit.draft import Draft, add, balanced, finished, negation

_FEW = 3  # functions of up to so many inputs may be one gate


def ones_circuit(cover: Cover) -> Circuit:
    """The circuit whose outputs are 1 on the rows listed for 1, and 0 on all others.

    Examples
    --------
    >>> cube = Cube(ones=0b01, zeros=0b10, on=1, off=0, free=0)
    >>> print(ones_circuit(Cover(("a", "b"), ("y",), (cube,))))
    y = a & ~b
    """
    draft = Draft(len(cover.input_labels))
    return _circuit(cover, draft, _sums(cover, draft, lambda cube: cube.on))


def cares_circuit(cover: Cover) -> Circuit | None:
    """The circuit whose outputs are 1 on the rows that count; None if all rows count for every output."""
    draft = Draft(len(cover.input_labels))
    is_listed = "r" in cover.type
    if not is_listed and not any(cube.free for cube in cover.cubes):
        return None
    free = _sums(cover, draft, lambda cube: cube.free)
    counted = [negation(draft, source) for source in free]
    if is_listed:
        listed = _sums(cover, draft, lambda cube: cube.on | cube.off)
        has_free = any(cube.free for cube in cover.cubes)
        counted = (
            [add(draft, GATES["and"], pair) for pair in zip(counted, listed, strict=True)]
            if has_free
            else listed
        )
    return _circuit(cover, draft, counted)


def sum_circuit(
    sums: Sequence[Sequence[str]], input_labels: Sequence[str], output_labels: Sequence[str]
) -> Circuit:
    """The circuit whose outputs are 1 on the cubes listed for each, strings over 0, 1 and -."""
    draft = Draft(len(input_labels))
    outputs = _added(draft, sums)
    return finished(draft, input_labels, outputs, output_labels)


def _sums(cover: Cover, draft: Draft, part: Callable[[Cube], int]) -> list[int]:
    """For every output j the source of the or of all cubes whose bit set `part(cube)` contains j."""
    terms: list[list[str]] = [[] for _ in cover.output_labels]
    n = len(cover.input_labels)
    for cube in cover.cubes:
        outputs = part(cube)
        if outputs:
            signs = _signs(cube, n)
            for j, digit in enumerate(reversed(f"{outputs:b}")):
                if digit == "1":
                    terms[j].append(signs)
    return _added(draft, terms)


def _signs(cube: Cube, n: int) -> str:
    ones, zeros = f"{cube.ones:0{n}b}"[::-1], f"{cube.zeros:0{n}b}"[::-1]
    return "".join(
        "1" if one == "1" else "0" if zero == "1" else "-" for one, zero in zip(ones, zeros, strict=True)
    )


def _added(draft: Draft, terms: Sequence[Sequence[str]]) -> list[int]:
    """The sums of cubes, one for each output; cubes that outputs share are built once."""
    known: dict[tuple[str, ...], int] = {}

    def added(*cubes: str) -> int:
        if cubes not in known:
            known[cubes] = add_cubes(draft, Cubes(draft.inputs, cubes), range(draft.inputs))
        return known[cubes]

    results = []
    for listed in terms:
        cubes = list(dict.fromkeys(listed))
        if len(cubes) <= 1 or draft.inputs <= _FEW:
            results.append(added(*cubes))
        else:
            results.append(balanced(draft, GATES["or"], [added(cube) for cube in cubes]))
    return results


def _circuit(cover: Cover, draft: Draft, outputs: list[int]) -> Circuit:
    return finished(draft, cover.input_labels, outputs, cover.output_labels)
