"""Circuit files of every format that is read: rubbish, wrong counts, cycles, huge sizes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from attacks import NUMBERS, TEXTS, chosen, damaged, judged

from gatewalk.boolean.targets import target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.formats import formats, read_file, write_file
from gatewalk.search.evolve import evolve


@cache
def files() -> dict[str, bytes]:
    """A file of each readable format, by suffix."""
    circuit = evolve("maj:3", nodes=12, seed=1, gates="and,or,xor").circuit
    found = {}
    with TemporaryDirectory() as folder:
        for suffix, one in formats().items():
            if one.read is not None:
                path = Path(folder) / f"circuit{suffix}"
                write_file(circuit, path)
                found[suffix] = path.read_bytes()
    return found


def attack(source: Random) -> None:
    """Change a circuit's file, read it, and use the circuit."""
    suffix = chosen(source, sorted(files()))
    data = files()[suffix]
    if source.random() < 0.3:
        data = damaged(source, data)
    else:
        words = data.decode("latin-1").split(" ")
        for _ in range(source.randint(1, 4)):
            _change(source, words)
        data = " ".join(words).encode("utf-8", "surrogatepass")
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"circuit{suffix}"
        path.write_bytes(data)
        judged(lambda: _use(read_file(path)))


def _use(circuit: Circuit) -> None:
    if len(circuit.input_labels) == 3 and len(circuit.outputs) == 1:
        matches(circuit, target("maj:3"))


def _change(source: Random, words: list[str]) -> None:
    """Words of a file, however its format cuts them."""
    at, other = source.randrange(len(words)), source.randrange(len(words))
    what = source.randrange(6)
    if what == 0:
        words[at] = words[other]
    elif what == 1:
        words[at], words[other] = words[other], words[at]
    elif what == 2:
        number = chosen(source, NUMBERS)
        words[at] = str(number) if abs(number) < 1e300 else "9" * 5000
    elif what == 3:
        words[at] = chosen(source, TEXTS)
    elif what == 4:
        words[at] = words[at] * source.choice((2, 50, 2000))
    else:
        words[at] = "[" * source.choice((1, 5000)) + words[at]
