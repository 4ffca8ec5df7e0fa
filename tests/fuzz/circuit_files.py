"""Circuit files of every format that is read: rubbish, wrong counts, cycles, huge sizes, deep nesting.

Some files are large, of a structure that once took a reader more than its share: copies of models with long
names, deep chains, gates with many outputs, rows by the thousand, empty lines.
"""

import re
import time
import tracemalloc
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from attacks import NUMBERS, TEXTS, chosen, damaged, judged

from gatewalk.boolean.targets import family_target
from gatewalk.circuit.construction import circuit_named, target_circuit
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.files import formats, read_file, write_file
from gatewalk.circuit.own_targets import target

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
    ".csv": (
        b"a,b,cin,|,sum,cout\n0,0,0,,0,0\n1,-,1,|,-,1\n 0,1.0,TRUE,,0,1\n",
        b'"a b";y1;"c";Out[0]\n0;1;1;-\n1;0;-;0\n\n',
        b"".join(b"%sx%d" % (b"," * (i > 1), i) for i in range(1, 19)) + b",y" + b"\n1,-" * 9 + b",1\n",
    ),
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


MOST_SECONDS = 20  # of the processor, for a large file of less than a megabyte
MOST_BYTES, MOST_BYTES_PER_BYTE = 64 << 20, 500  # that reading a large file takes


def copies(source):
    """A model of copies of a model of copies of an inverter, with long names and open outputs."""
    count, model, signal = (
        source.randrange(1, 40),
        "m" * source.choice((1, 5000)),
        "s" * source.choice((1, 500)),
    )
    inner = [f"{signal}{i}" for i in range(count - 1)]
    pairs = list(zip(["i", *inner], [*inner, "o"], strict=True))
    chains = ["".join(f".subckt {of} i={a} o={b}\n" for a, b in pairs) for of in ("middle", model)]
    opened = " ".join(f"open{i}" for i in range(source.choice((0, 5000))))
    ports = ".inputs i\n.outputs o"
    return ".blif", (
        f".model top\n{ports}\n{chains[0]}.end\n.model middle\n{ports}\n{chains[1]}.end\n"
        f".model {model}\n{ports} {opened}\n.names i {signal}\n0 1\n.names {signal} o\n0 1\n.end\n"
    )


def chain(source):
    """Inverters one after the other, given forwards, backwards or in any order."""
    n, order = 5000, source.randrange(3)
    gates = list(range(n))
    if order:
        gates = gates[::-1] if order == 1 else source.sample(gates, n)
    suffix = source.choice((".blif", ".v", ".aag"))
    if suffix == ".blif":
        tables = "".join(f".names s{i} s{i + 1}\n0 1\n" for i in gates)
        return suffix, f".model m\n.inputs s0\n.outputs s{n}\n{tables}.end\n"
    if suffix == ".v":
        assigned = "".join(f"assign s{i + 1} = ~s{i};\n" for i in gates)
        return suffix, f"module m (s0, s{n});\ninput s0;\noutput s{n};\n{assigned}endmodule\n"
    ands = "".join(f"{2 * i + 4} {2 * i + 2} {2 * i + 3}\n" for i in gates)
    return suffix, f"aag {n + 1} 1 0 1 {n}\n2\n{2 * n + 2}\n{ands}"


def outputs(source):
    """Gates of many outputs that read a long expression."""
    n = source.choice((10, 2000))
    ports = [", ".join(f"{letter}{i}" for i in range(n)) for letter in "ay"]
    declared = f"module m ({', '.join(ports)});\ninput {ports[0]};\noutput {ports[1]};\n"
    expression = source.choice("&|^").join(f"a{source.randrange(n)}" for _ in range(n))
    return ".v", f"{declared}{source.choice(('not', 'buf'))} ({ports[1]}, {expression});\nendmodule\n"


def rows(source):
    """Thousands of products over few or many inputs and outputs."""
    n, m = source.choice((1, 4, 14, 16, 17, 28)), source.choice((1, 3, 300))
    count, kind = 30_000 // (n + m), source.choice(("f", "fd", "fr"))
    products = (
        f"{''.join(source.choices('01-', k=n))} {''.join(source.choices('01-~', (1, 1, 1, 20), k=m))}\n"
        for _ in range(count)
    )
    return ".pla", f".i {n}\n.o {m}\n.type {kind}\n{''.join(products)}.e\n"


def columns(source):
    """Thousands of lines under few or many columns, with and without dashes, and some that say the same."""
    n, m = source.choice((1, 4, 14, 16, 17, 28)), source.choice((1, 3, 300))
    names = [*(f"x{i}" for i in range(n)), *(f"y{j}" for j in range(m))]
    signs = source.choice(("01", "01-", "0-"))
    lines = (
        ",".join(source.choices(signs, k=n)) + f",{source.choice('01-')}" * m + "\n"
        for _ in range(30_000 // (n + m))
    )
    return ".csv", ",".join(names) + "\n" + "".join(lines)


def nothing(source):
    """A file with a great many lines that say nothing, or the same."""
    suffix = source.choice((".blif", ".pla", ".tt", ".v", ".json", ".aag", ".csv"))
    return suffix, source.choice(
        ("\n", " \n", "\r\n", "#\n", "//\n", ";\n", "01\n", "1 1\n", "[],", ",\n", ",", "y,")
    ) * 50_000


LARGE = (copies, chain, outputs, rows, columns, nothing)


def attack_large(source):
    """Read a large file; it must not take much more time and memory than its size accounts for."""
    suffix, text = chosen(source, LARGE)(source)
    data = damaged(source, text.encode()) if source.random() < 0.3 else text.encode()
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"circuit{suffix}"
        path.write_bytes(data)
        reads = [read_file] + [target] * (formats()[suffix].read_target is not None)
        for read in reads:
            began = time.process_time()
            tracemalloc.start()
            try:
                judged(lambda read=read: read(path))
                most = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
            seconds = time.process_time() - began
            assert seconds < MOST_SECONDS, f"{suffix}: {len(data):,} bytes took {seconds:.0f} s"
            assert most < MOST_BYTES + MOST_BYTES_PER_BYTE * len(data), f"{suffix}: {most:,} bytes"


def attack(source):
    """Change a circuit's file, read it, and use the circuit."""
    if source.random() < 0.05:
        attack_large(source)
        return
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
        equivalent(circuit, family_target("maj:3"))
    if len(circuit.input_labels) <= 6 and 0 < len(circuit.outputs) <= 6 and len(circuit) < 1000:
        for one in formats().values():
            if one.write is not None:
                one.write(circuit)


def _use_target(wanted):
    if wanted.inputs <= 10 and wanted.outputs <= 10:
        assert equivalent(target_circuit(wanted), wanted)


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
