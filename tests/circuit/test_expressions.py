"""Boolean expressions: in postfix order, as tables and as gates the same function."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import Draft, evaluate
from gatewalk.circuit.expressions import Token, add_expression, parse, table

NAMES = "abcd"


def tokens(words):
    kind = {"0": "constant", "1": "constant"} | dict.fromkeys(NAMES, "name")
    return [Token(kind.get(word, word), word, 1) for word in words]


# Texts of Python, whose ~ & ^ | bind as here; the conditional is compared by its own test of Verilog.
texts = st.recursive(
    st.sampled_from([*NAMES, "0", "1"]).map(lambda word: [word]),
    lambda inner: st.one_of(
        inner.map(lambda words: ["~", "(", *words, ")"]),
        inner.map(lambda words: ["(", *words, ")"]),
        st.tuples(inner, st.sampled_from("&^|"), inner).map(lambda parts: [*parts[0], parts[1], *parts[2]]),
    ),
    max_leaves=12,
)


@given(texts)
def test_as_python_reads_it(words):
    expression = parse(tokens(words), 1)
    rows = [{name: row >> j & 1 for j, name in enumerate(NAMES)} for row in range(16)]
    wanted = [eval("".join(words), {}, row) & 1 for row in rows]
    found = table(expression, NAMES)
    assert [found >> row & 1 for row in range(16)] == wanted
    draft = Draft(4)
    source = add_expression(draft, expression, {name: j for j, name in enumerate(NAMES)})
    circuit = draft.circuit(NAMES, [source], ["y"])
    assert unpack(evaluate(circuit, projections(4)), 16)[0].astype(int).tolist() == wanted


def test_names_are_in_the_order_of_the_text():
    assert parse(tokens("c&a|c"), 1).names == ("c", "a")
