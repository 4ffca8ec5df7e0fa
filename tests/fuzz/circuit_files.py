"""Circuit files of every format that is read: rubbish, wrong counts, cycles, huge sizes, deep nesting."""

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from attacks import NUMBERS, TEXTS, chosen, damaged, judged

from gatewalk.boolean.targets import family_target
from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.files import formats, read_file, write_file
from gatewalk.circuit.own_targets import target
from gatewalk.circuit.target_circuit import circuit_named, target_circuit

LIBRARY = b"GATE and2 2 O=a*b; PIN * INV 1 999 1 0 1 0\nGATE aoi 3 O=!(a b + c'); PIN * INV 1 999 1 0 1 0\n"

# Files with what Gatewalk itself does not write.
OTHERS = {
    ".blif": (
        b".model top\n.inputs a b c\n.outputs y z\n.subckt half a=a b=b s=t c=y\n"
        b".subckt half a=t b=c s=z c=u\n.end"
        b"\n.model half\n.inputs a b\n.outputs s c\n.names a b s\n10 1\n01 1\n.names a b c\n11 1\n.end\n",
        b".model m\n.inputs a b c\n.outputs y\n.gate and2 a=a b=b O=t\n.gate aoi a=t b=b c=c O=y\n.end\n",
    ),
    ".pla": (b".i 3\n.o 2\n.ilb a b c\n.ob y z\n.type fdr\n.p 3\n11- 1-\n0-1 01\n000 -~\n.e\n",),
    ".v": (
        b"module m (input a, b, input wire c, output y);\nwire t = a & (b | ~c) ? 1'b1 : b ^ c;\n"
        b"xnor g1 (y, t, ~a, c), (u, a, b);\nnot (v, w, a);\nassign x = !(a && b || c);\nendmodule\n",
    ),
    ".aag": (b"aag 7 2 0 2 3\n2\n4\n6\n12\n6 13 15\n12 2 4\n14 3 5\ni0 x\ni1 y\no0 s\no1 c\nc\nhalf\n",),
    ".tt": (b"# three tables\n0xE8\n10010110\n0x7f\n",),
}
WORDS = (
    *(".i", ".o", ".p", ".e", ".type fr", ".model m", ".subckt top", ".latch", ".gate", ".names", ".end"),
    *("module", "endmodule", "assign", "(", ")", "?", ":", "~", "'", "1'b1", "/*", "(*", ";", ",", "\\x "),
    *("aag", "aig", "c", "i0", "0x", "GATE", "PIN", "=", "-", "~", "2", "\\"),
)


@cache
def files():
    """Files of each readable format, by suffix."""
    circuit = circuit_named("maj:3")
    found = {}
    with TemporaryDirectory() as folder:
        for suffix, one in formats().items():
            if one.read is not None:
                path = Path(folder) / f"circuit{suffix}"
                write_file(circuit, path)
                found[suffix] = (path.read_bytes(), *OTHERS.get(suffix, ()))
    return found


def attack(source):
    """Change a circuit's file, read it, and use the circuit."""
    suffix = chosen(source, sorted(files()))
    data = _changed(source, chosen(source, files()[suffix]))
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"circuit{suffix}"
        path.write_bytes(data)
        judged(lambda: _use(read_file(path)))
        if formats()[suffix].read_target is not None:
            judged(lambda: _use_target(target(path)))
        if formats()[suffix].takes_library:
            library = Path(folder) / "cells.genlib"
            library.write_bytes(_changed(source, LIBRARY) if source.random() < 0.5 else LIBRARY)
            judged(lambda: _use(read_file(path, library=library)))


def _use(circuit):
    if len(circuit.input_labels) == 3 and len(circuit.outputs) == 1:
        matches(circuit, family_target("maj:3"))
    if len(circuit.input_labels) <= 6 and 0 < len(circuit.outputs) <= 6 and len(circuit) < 1000:
        for one in formats().values():
            if one.write is not None:
                one.write(circuit)


def _use_target(wanted):
    if wanted.inputs <= 10 and wanted.outputs <= 10:
        assert matches(target_circuit(wanted), wanted)


def _changed(source, data):
    if source.random() < 0.3:
        return damaged(source, data)
    # Words and what separates them, however the format cuts them.
    words = re.split(r"(\s+)", data.decode("latin-1"))
    for _ in range(source.randint(1, 4)):
        _change(source, words)
    return "".join(words).encode("utf-8", "surrogatepass")


def _change(source, words):
    at, other = source.randrange(len(words)), source.randrange(len(words))
    what = source.randrange(8)
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
    elif what == 5:
        words[at] = source.choice("[({~'") * source.choice((1, 5000)) + words[at]
    elif what == 6:
        words.insert(at, f" {chosen(source, WORDS)} ")
    else:
        begin, end = min(at, other), max(at, other)
        words[begin:end] = words[begin:end] * source.choice((0, 2, 30))
