"""Coverage-guided attacks on the readers of circuits: `make fuzz-atheris MINUTES=2`.

Atheris, Google's fuzzer on top of libFuzzer, changes valid files and keeps what reaches new lines of the
readers. The first byte of an input says which reader gets the rest. All that may come back is a result or
an `InputError` of one line, within twenty seconds and two gigabytes. An input that found something is
written to `.venv/atheris/`, and `python tests/fuzz/atheris_circuits.py FILE` repeats it.
"""

import sys
from functools import partial
from pathlib import Path
from random import Random

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
CORPUS = ROOT / ".venv" / "atheris" / "corpus"
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "support")]

import atheris  # noqa: E402

with atheris.instrument_imports(include=["gatewalk.circuit", "gatewalk.boolean.table_targets"]):
    from gatewalk.boolean.table_targets import parse_table
    from gatewalk.circuit.construction import target_circuit
    from gatewalk.circuit.equations import read_equations
    from gatewalk.circuit.files import decoded, formats
    from gatewalk.circuit.formats import blif, pla
    from gatewalk.circuit.formats.genlib import read_genlib
    from gatewalk.circuit.library import library_areas, library_gates
    from gatewalk.circuit.own_targets import netlist_target, parse_netlist

from attacks import judged  # noqa: E402
from circuit_files import LARGE, LIBRARY, OTHERS, files  # noqa: E402


def use(circuit):
    """What a user does with a circuit that was read: simplify it, write it."""
    if len(circuit.input_labels) <= 6 and 0 < len(circuit.outputs) <= 6 and len(circuit) < 200:
        made = circuit.simplify()
        for one in formats().values():
            if one.write is not None:
                one.write(made)


def read_cells(text):
    """A library, as gates and as costs."""
    cells = read_genlib(text)
    library_areas(cells)
    if cells:
        library_gates(cells)


def read_target(text):
    """A specification in which rows may not count, as a target and as the circuit of that."""
    wanted = pla.read_target(text, "mine")
    if wanted.inputs <= 8 and wanted.outputs <= 8:
        use(target_circuit(wanted))


def read_table(text):
    """A table as text, and its circuit."""
    wanted = parse_table(text)
    if wanted.inputs <= 6 and wanted.outputs <= 6:
        use(target_circuit(wanted))


def text_reader(read):
    """The reader of a text, given its bytes."""
    return lambda data: read(decoded("file", data))


def readers():
    """Everything that reads a circuit or what belongs to one, by name."""
    cells = read_genlib(LIBRARY.decode())
    found = {}
    for suffix, one in sorted(formats().items()):
        if one.read is not None:
            read = partial(lambda read, given: use(read(given)), one.read)
            found[suffix] = read if one.is_binary else text_reader(read)
    found[".gate"] = text_reader(lambda text: use(blif.read(text, library=cells)))
    found[".genlib"] = text_reader(read_cells)
    found["target"] = text_reader(read_target)
    found["table"] = text_reader(read_table)
    found["netlist"] = text_reader(parse_netlist)
    found["equations"] = text_reader(lambda text: use(read_equations(text)))
    return found


READERS = readers()


def write_corpus():
    """Valid inputs of every reader, from which the fuzzer sets out."""
    CORPUS.mkdir(parents=True, exist_ok=True)
    maj = target_circuit(parse_table("table:3:0xe8"))
    examples = {
        **files(),
        ".gate": OTHERS[".blif"],
        ".genlib": (LIBRARY,),
        "target": OTHERS[".pla"],
        "table": (b"mine@table:3:0x96/0xfe,0x1:a,b,c:p,q",),
        "equations": (b"x1 & (x2 | ~x3)", b"y1 = x1 ? x2 : g; y2 = 1 ^ g\ng = x1 & x4"),
        "netlist": (netlist_target(maj, cares=maj, name="mine").name.encode(),),
    }
    for number, name in enumerate(READERS):
        for k, data in enumerate(examples[name]):
            (CORPUS / f"{number}-{k}").write_bytes(bytes([number]) + data)
    for k, make in enumerate(LARGE):
        suffix, text = make(Random(k))
        number = list(READERS).index(suffix)
        (CORPUS / f"large-{k}").write_bytes(bytes([number]) + text.encode())


def attack(data):
    """Hand an input to the reader that its first byte chooses."""
    if data:
        read = list(READERS.values())[data[0] % len(READERS)]
        judged(lambda: read(data[1:]))


def main():
    """Attack until the time is up; what is given are libFuzzer's own options, or the file of a finding."""
    given = sys.argv[1:]
    limits = ["-timeout=20", "-rss_limit_mb=2048", "-max_len=100000", f"-artifact_prefix={CORPUS.parent}/"]
    is_repeated = any(not one.startswith("-") for one in given)
    if not is_repeated:
        write_corpus()
    atheris.Setup([sys.argv[0], *limits, *given, *([] if is_repeated else [str(CORPUS)])], attack)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
