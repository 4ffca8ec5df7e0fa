"""Large files: readers take time and memory in proportion to a file, or name the limit that it exceeds."""

import gc
import sys
import time
import tracemalloc
from functools import partial

import pytest

from gatewalk.boolean.gates import GateSet, gate
from gatewalk.circuit import circuit as circuits
from gatewalk.circuit import covers, own_targets
from gatewalk.circuit.circuit import Circuit, Draft, Node
from gatewalk.circuit.files import watched
from gatewalk.circuit.formats import aiger, blif, csv_table, gatewalk_json, genlib, pla, truth_table, verilog
from gatewalk.circuit.library import library_areas, library_gates
from gatewalk.circuit.netlists import numbered_lines
from gatewalk.errors import InputError


def steps(work):
    """How many instructions of Python the work takes: a count, so the same on every machine."""
    count = 0

    def follow(frame, event, argument):
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def peak(work):
    """The most bytes that the work holds at a time."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def is_linear(work, size):
    """Whether work of four times the size takes about four times as many steps, not their square."""
    return steps(partial(work, 4 * size)) < 6 * steps(partial(work, size))


def quickest(work):
    """The shortest time of the processor that the work takes, of three."""

    def seconds():
        began = time.process_time()
        work()
        return time.process_time() - began

    gc.disable()
    try:
        return min(seconds() for _ in range(3))
    finally:
        gc.enable()


def copies_with_long_names(copies, length):
    """A model of some copies of a model of some copies of an inverter, whose names are long."""
    name, signal = "m" * length, "s" * length

    def chain(of):
        inner = [f"{signal}{i}" for i in range(copies - 1)]
        pairs = zip(["i", *inner], [*inner, "o"], strict=True)
        return "".join(f".subckt {of} i={a} o={b}\n" for a, b in pairs)

    return (
        f".model top\n.inputs i\n.outputs o\n{chain('middle')}.end\n"
        f".model middle\n.inputs i\n.outputs o\n{chain(name)}.end\n"
        f".model {name}\n.inputs i\n.outputs o\n.names i {signal}\n0 1\n.names {signal} o\n0 1\n.end\n"
    )


def test_copies_of_models_do_not_repeat_long_names():
    # Twice as many copies within twice as many copies: the file doubles, the copies are four times as many.
    few, many = (peak(lambda n=n: blif.read(copies_with_long_names(n, 20_000))) for n in (6, 12))
    assert many < 3 * few
    circuit = blif.read(copies_with_long_names(6, 10))
    assert (len(circuit), circuit(1)) == (72, 1)


def test_signals_of_copies_are_told_apart_in_errors():
    top = ".model top\n.inputs a\n.outputs y\n.subckt part i=a o=y\n.end\n"
    part = ".model part\n.inputs i\n.outputs o\n.names t o\n0 1\n.end\n"
    with pytest.raises(InputError, match=r"signal 't in part 1' is neither .* read on line 9"):
        blif.read(top + part)


def test_outputs_that_copies_leave_open_take_no_time():
    def text(outputs):
        opened, copies = " ".join(f"o{i}" for i in range(outputs)), ".subckt part i=a\n" * 8000
        return (
            f".model top\n.inputs a\n.outputs y\n.names a y\n0 1\n{copies}.end\n"
            f".model part\n.inputs i\n.outputs {opened}\n.end\n"
        )

    few, many = text(1), text(8000)
    # Were they looked at for each copy, that would be 64 million, a hundred times as much as all the rest.
    assert quickest(partial(blif.read, many)) < 8 * quickest(partial(blif.read, few))


def test_a_gate_with_many_outputs_adds_what_it_reads_once():
    def text(size):
        inputs, outputs = (", ".join(f"{letter}{i}" for i in range(size)) for letter in "ay")
        ports = f"module m ({inputs}, {outputs});\ninput {inputs};\noutput {outputs};\n"
        return f"{ports}not ({outputs}, {inputs.replace(', ', ' & ')});\nendmodule\n"

    circuit = verilog.read(text(4))
    assert [node.gate.name for node in circuit.nodes] == ["and"] * 3 + ["not"] * 4
    assert [circuit(1, 1, 1, 1), circuit(1, 1, 0, 1)] == [(0,) * 4, (1,) * 4]
    assert len(verilog.read(text(100))) == 99 + 100


@pytest.mark.parametrize("backwards", [False, True])
def test_long_chains_take_little_memory(backwards):
    n = 2000
    order = list(reversed(range(n))) if backwards else list(range(n))
    tables = "".join(f".names s{i} s{i + 1}\n0 1\n" for i in order)
    assigned = "".join(f"assign s{i + 1} = ~s{i};\n" for i in order)
    ands = "".join(f"{2 * i + 4} {2 * i + 2} {2 * i + 3}\n" for i in order)
    for read, text, most in (
        (blif.read, f".model m\n.inputs s0\n.outputs s{n}\n{tables}.end\n", 950),
        (verilog.read, f"module m (s0, s{n});\ninput s0;\noutput s{n};\n{assigned}endmodule\n", 1100),
        (aiger.read, f"aag {n + 1} 1 0 1 {n}\n2\n{2 * n + 2}\n{ands}".encode(), 450),
    ):
        assert len(read(text)) == n
        assert peak(lambda read=read, text=text: read(text)) / n < most


def test_equal_words_are_kept_once():
    n = 20_000
    text = f"module m (a, y);\ninput a;\noutput y;\nassign y = {'a ^ ' * n}a;\nendmodule\n"
    assert peak(lambda: verilog.read(text)) / (2 * n) < 80


@pytest.mark.parametrize("nothing", ["\n", " \n", "\r\n", "# nothing\n", " #\n\n"])
def test_lines_that_say_nothing_are_passed_over_at_once(nothing):
    text = f"a\n{nothing * 5000}b # c\n"
    lines = [(1, "a"), (2, ""), (2 + 5000 * nothing.count("\n"), "b")]
    assert list(numbered_lines(text)) == lines
    assert steps(lambda: list(numbered_lines(text))) < 1000


def test_empty_lines_of_verilog_are_passed_over_at_once():
    head, tail = "module m (a, y);", "input a;\noutput y;\nassign y = ~a;\nendmodule\n"
    for nothing in ("\n", " \n\r\n", "// nothing\n"):
        few, many = (f"{head}\n{nothing * n}{tail}" for n in (10, 5000))
        assert steps(partial(verilog.read, many)) < steps(partial(verilog.read, few)) + 200
    with pytest.raises(InputError, match="line 5003: '/2;' is not supported"):
        verilog.read(f"{head}\n// nothing\n" + "\n" * 5000 + "/2;\n")


def test_a_row_of_a_pla_takes_few_steps():
    rows = "".join(f"{i:014b} {i & 1}\n" for i in range(2000))
    text = f".i 14\n.o 1\n{rows}.e\n"
    made = pla.read_target(text, "mine")
    assert made.content == pla.read_target(text + "after the end", "other").content
    assert steps(lambda: pla.read_target(text, "mine")) / 2000 < 250


def test_a_row_of_a_csv_takes_few_steps_and_little_memory():
    def text(size):
        rows = "".join(f"{','.join(f'{i:014b}')},{i & 1}\n" for i in range(size))
        return ",".join(f"x{i}" for i in range(14)) + ",y\n" + rows

    texts = {size: text(size) for size in (500, 2000, 8000)}
    assert is_linear(lambda size: csv_table.read_cover(texts[size]), 500)
    assert peak(lambda: csv_table.read_cover(texts[8000])) < 20 * len(texts[8000])
    repeated = "0,1,1\n" * 50_000  # equal rows are kept once
    assert peak(lambda: csv_table.read_cover(f"a,b,y\n{repeated}")) < 6 * len(repeated)


def test_equal_rows_of_a_pla_are_kept_once():
    text = ".i 4\n.o 1\n.p {}\n" + "11-- 1\n" * 5000 + ".e\n"
    assert len(pla.read_cover(text.format(5000)).products) == 1
    with pytest.raises(InputError, match=r"\.p announces 1 products, but there are 5,000"):
        pla.read_cover(text.format(1))


def test_signs_of_outputs_that_need_no_gate_take_no_steps(monkeypatch):
    text = f".i 4\n.o 5000\n.type f\n11-- {'0' * 4999}1\n0--1 1{'0' * 4999}\n.e\n"
    labels = pla.read_cover(text)
    few = covers.Cover(labels.input_labels, labels.output_labels, labels.products[:1], "f")
    assert steps(lambda: labels.cubes("1")) - steps(lambda: few.cubes("1")) < 200
    monkeypatch.setattr(covers, "MOST_LISTED", 1)
    with pytest.raises(InputError, match="2 signs of outputs that need gates; Gatewalk reads at most 1"):
        pla.read(text)


def test_too_many_gates_are_refused_before_any_is_added(monkeypatch):
    monkeypatch.setattr(circuits, "MOST_GATES", 20)
    monkeypatch.setattr(Draft, "add", None)
    wide = "".join(f"{i:08b} 1\n" for i in range(9))
    for read, text in (
        (pla.read, f".i 8\n.o 1\n{wide}.e\n"),
        (blif.read, f".model m\n.inputs a b c d e f g h\n.outputs y\n.names a b c d e f g h y\n{wide}.end\n"),
    ):
        with pytest.raises(InputError, match="more than 20 gates, the most that Gatewalk reads"):
            read(text)


def test_a_circuit_that_is_too_large_for_a_target_is_not_written(monkeypatch):
    nodes = tuple(Node(gate("not"), (i,)) for i in range(10))
    monkeypatch.setattr(own_targets, "_LONGEST", 300)
    monkeypatch.setattr(gatewalk_json, "write", None)
    with pytest.raises(InputError, match="a circuit of 10 gates is too large to be a target"):
        own_targets.netlist_target(Circuit(("a",), nodes, (10,), ("y",)))


def test_a_pla_with_too_many_outputs_for_a_table_gets_none(monkeypatch):
    monkeypatch.setattr(covers, "complete_tables", None)
    with pytest.raises(InputError, match="a table has from 1 to 256 outputs, not 300"):
        pla.read_target(f".i 4\n.o 300\n11-- {'1' * 300}\n.e\n", "mine")


TERMS = ("a", "b", "c", "d", "e", "f", "a*b", "c*d", "e*f", "a*c", "b*d", "d*f")


def cells(size):
    """So many cells of different functions, whose names are alike once . and - are written as _."""
    for i in range(size):
        chosen = [term for j, term in enumerate(TERMS) if i >> j & 1]
        name = f"{i:012b}".replace("0", ".").replace("1", "-")
        yield f"GATE a{name} 1 Y={'^'.join(['a*b*c*d*e*f', *chosen])};\n"


def test_names_of_many_cells_are_told_apart_in_linear_time():
    alike = genlib.read_genlib("GATE a.b 1 Y=a*b*c*d;GATE a-b 1 Y=a+b+c+d;GATE a/b 1 Y=a*b+c*d;")
    assert library_gates(alike).names == ("a_b", "cell_a_b_2", "cell_a_b_3")
    assert is_linear(lambda size: library_areas(genlib.read_genlib("".join(cells(size)))), 50)


def test_a_large_set_of_gates_is_checked_in_linear_time():
    def make(size):
        GateSet(tuple(gate(f"own{i}", 6, i + 1) for i in range(size)))

    assert is_linear(make, 50)
    same = gate("mine", 2, 0b0010)
    with pytest.raises(InputError, match="'mine' appears twice"):
        GateSet((same, gate("and"), same))
    with pytest.raises(InputError, match="two different gates are called 'mine'"):
        GateSet((same, gate("mine", 2, 0b0100)))


LIMITS = (
    (
        blif,
        "MOST_SIGNALS",
        blif.read,
        ".inputs a b c d e f g h i j k l\n",
        "a statement of more than 10 ",
    ),
    (blif, "MOST_SIGNALS", blif.read, ".inputs a b c d\n" * 3, "line 3: the file has more than 10 signals"),
    (
        blif,
        "MOST_SIGNS",
        blif.read,
        ".outputs y\n.names a b y\n11 1\n10 1\n00 1\n01 1\n",
        "more than 10 ch",
    ),
    (
        genlib,
        "MOST_WORDS",
        genlib.read_genlib,
        "\nGATE a 1 Y=A*B*C*D;",
        "line 2: .* more than 10 words",
    ),
    (truth_table, "MOST_OUTPUTS", truth_table.read, "01\n" * 11, "line 11: .* at most 10 tables"),
    (gatewalk_json, "MOST_PARTS", gatewalk_json.read, "[" + "[],[]," * 5 + "[]]", "22 values; .* at most 10"),
    (verilog, "MOST_WORDS", verilog.read, "module m (a, b, c, d, e);", "line 1: .* more than 10 words"),
)


@pytest.mark.parametrize(("module", "limit", "read", "text", "message"), LIMITS)
def test_a_limit_is_named(module, limit, read, text, message, monkeypatch):
    monkeypatch.setattr(module, limit, 10)
    with pytest.raises(InputError, match=message):
        read(text)


def test_readers_tell_how_far_they_have_come():
    n = 10_000
    tables = "".join(f".names s{i} s{i + 1}\n0 1\n" for i in range(n))
    lines = {
        blif.read: f".model m\n.inputs s0\n.outputs s{n}\n{tables}.end\n",
        verilog.read: f"module m (a, y);\ninput a;\noutput y;\nassign y = {'~a ^' * n}\n a;\nendmodule\n",
        pla.read: ".i 4\n.o 1\n" + "11-- 1\n" * n + ".e\n",
        truth_table.read: "01\n" * n,
        genlib.read_genlib: "".join(f"GATE g{i} 1 Y=a;\n" for i in range(n)),
        aiger.read: (f"aag {n} {n} 0 0 0\n" + "".join(f"{2 * i + 2}\n" for i in range(n))).encode(),
    }
    for read, text in lines.items():
        told = []
        with watched(lambda share, words, told=told: told.append((share, words))):
            read(text)
        shares = [share for share, _ in told]
        assert len(told) >= 2, read
        assert shares == sorted(shares)
        assert 0 < shares[0] <= shares[-1] <= 1
        assert told[0][1].startswith("line ")
        count = len(told)
        read(text)
        assert len(told) == count  # nobody watches any more
