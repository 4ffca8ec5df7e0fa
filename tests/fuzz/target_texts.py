"""Texts that stand for targets: expressions, and what may be taken for one; Python says what they compute."""

import contextlib
import re
from tempfile import TemporaryDirectory

from attacks import NUMBERS, TEXTS, chosen, damaged, judged

from gatewalk.boolean.targets import truth_table
from gatewalk.circuit.construction import circuit_named
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.own_targets import kind_of, lacks_size, target

VALID = (
    "x1 & (x2 | ~x3)",
    "~x1 ^ ~(x2 & x3 | 0) ^ 1",
    "(x1 | x2) & (x3 ^ x4) & ~(x1 & x5)",
    "x1 ? x2 : x3 ? ~x4 : 0",
    "g1 = x1 ^ x2; s[0] = g1 ^ x3\ns[1] = x1 & x2 | g1 & x3",
    "x17 & x1 | x3",
    "x1 | x2 ^ x3 & x4 ^ ~x5 | x1",
    "table:3:0x96/0xfe:a,b,c:odd",
    "mine@table:2:0x8,0x6",
    "and:8",
    "mine.py:dnf:5",
)
WORDS = (
    *(
        "x1",
        "x2",
        "x3",
        "x9",
        "x10",
        "x65536",
        "x65537",
        "x0",
        "x01",
        "X1",
        "y",
        "g1",
        "s[0]",
        "0",
        "1",
        "2",
        "10",
    ),
    *(
        "&",
        "|",
        "^",
        "~",
        "(",
        ")",
        "?",
        ":",
        "=",
        ";",
        "\n",
        "\r",
        "&&",
        "||",
        "!",
        "+",
        "*",
        "-",
        "and",
        "not",
    ),
    *(".", ".pla", ".csv", "/", "\\", "@", "table:", "netlist:", ".py:", "and:", "sort:", "\u2028", "é"),
)
# What Python reads as this grammar does, line ends and all other signs left out.
PLAIN = re.compile(r"(?:[ &|^~()]|x[1-9][0-9]{0,4}|[01](?![0-9]))+")


def attack(source):
    """Change a text, and read it as a target and as a circuit."""
    text = _changed(source, chosen(source, VALID))
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        is_read = judged(lambda: _use(text))
        judged(lambda: lacks_size(text))
        if kind_of(text) == "expression":
            assert is_read == judged(lambda: circuit_named(text)) or not re.search("x[1-9]", text)


def _use(text):
    made = target(text)
    assert target(made.name) == made  # the name alone says what it is
    if kind_of(text) != "expression" or made.inputs > 10:
        return
    assert equivalent(circuit_named(text), made)
    if PLAIN.fullmatch(text) and "~~~~~~" not in text:
        code = compile(text.strip(), "expression", "eval")
        values, _ = truth_table(made)
        for row in range(1 << made.inputs):
            inputs = {f"x{i + 1}": row >> i & 1 for i in range(made.inputs)}
            assert eval(code, {}, inputs) & 1 == values[0, row], text


def _changed(source, text):
    if source.random() < 0.2:
        return damaged(source, text.encode()).decode("utf-8", source.choice(("replace", "surrogateescape")))
    words = re.findall(r"\w+|\s+|.", text)
    for _ in range(source.randint(0, 5)):
        _change(source, words)
    return "".join(words)


def _change(source, words):
    at, other = source.randrange(len(words) + 1), source.randrange(len(words) + 1)
    what = source.randrange(6)
    if what <= 1:
        words[at : at + (what == 0)] = [chosen(source, WORDS)]
    elif what == 2:
        words[at:at] = words[min(at, other) : max(at, other)] * source.choice((1, 2, 50))
    elif what == 3:
        del words[min(at, other) : min(at, other) + source.choice((1, 2, 9))]
    elif what == 4:
        words[at:at] = [source.choice("(~") * source.choice((1, 3, 300, 70_000))]
    else:
        number = chosen(source, NUMBERS)
        more = str(number) if abs(number) < 1e300 else "9" * 5000
        words[at:at] = [chosen(source, TEXTS) if source.random() < 0.5 else f"x{more}"]
    if not words:
        words.append("x1")
