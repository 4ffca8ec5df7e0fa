"""Functions given by their truth tables: texts that say all of them, and nothing that is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.table_targets import is_table, parse_table, table_target
from gatewalk.boolean.tables import projections, unpack
from gatewalk.boolean.training import complete, counted, fitness, sample
from gatewalk.errors import InputError


@st.composite
def tables(draw):
    inputs, outputs = draw(st.integers(1, 7)), draw(st.integers(1, 4))
    every = st.integers(0, (1 << (1 << inputs)) - 1)
    values = draw(st.lists(every, min_size=outputs, max_size=outputs))
    cares = draw(st.lists(every, min_size=outputs, max_size=outputs).filter(any))
    return values, cares, inputs


@given(tables())
def test_a_name_builds_the_same_target(table):
    values, cares, inputs = table
    made = table_target(values, inputs, cares=cares)
    assert parse_table(made.name) == made
    labelled = table_target(
        values, inputs, cares=cares, name="my:own, 50% @home",
        input_labels=[f"in[{i}],:" for i in range(inputs)],
        output_labels=[f"o {i}" for i in range(len(values))],
    )  # fmt: skip
    assert parse_table(labelled.name) == labelled
    assert labelled.content == made.content


@given(tables())
def test_values_are_those_of_the_table(table):
    values, cares, inputs = table
    made = table_target(values, inputs, cares=cares)
    rows = 1 << inputs
    found = unpack(made.evaluate(projections(inputs)), rows)
    for row in range(rows):
        for output, (value, care) in enumerate(zip(values, cares, strict=True)):
            assert found[output, row] == bool((value & care) >> row & 1)


@given(tables(), st.integers(0, 2**32))
def test_rows_that_do_not_count_count_nothing(table, seed):
    """Mismatches are counted by hand on all rows and compared with those on the training set."""
    values, cares, inputs = table
    made = table_target(values, inputs, cares=cares)
    training = complete(made)
    wrong = np.random.default_rng(seed).integers(0, 2**63, training.outputs.shape, dtype=np.uint64)
    mistakes = unpack((training.outputs ^ wrong) & counted(training), training.rows).sum()
    assert fitness(wrong, training) == mistakes
    values = unpack(counted(training), training.rows).sum()
    assert values == sum(care.bit_count() for care in cares)
    assert training.rows == sum(any(care >> row & 1 for care in cares) for row in range(1 << inputs))


def test_a_sample_leaves_out_rows_that_do_not_count():
    made = table_target([0b1000], 2, cares=[0b1110])
    source = np.random.default_rng(1)
    drawn = sample(made, 500, lambda count: source.integers(0, 2**63, count, dtype=np.uint64))
    assert 300 < drawn.rows < 450
    assert drawn.cares is None
    assert (unpack(drawn.inputs, drawn.rows).any(axis=0)).all()
    with pytest.raises(InputError, match="none of the 3 rows drawn"):
        sample(made, 3, lambda count: np.zeros(count, dtype=np.uint64))


@pytest.mark.parametrize(
    ("table", "inputs", "fewest"), [(0x80, 3, 2), (0x96, 3, 2), (0xAA, 3, 0), (0x00, 3, 0), (0x6, 2, 1)]
)
def test_fewest_nodes_by_the_inputs_that_matter(table, inputs, fewest):
    assert table_target([table], inputs).fewest_nodes == fewest


def test_labels():
    assert parse_table("table:2:0x8,0x6").output_labels == ("y1", "y2")
    made = parse_table("half@table:2:0x8,0x6:a,b:carry,sum")
    assert (made.input_labels, made.output_labels) == (("a", "b"), ("carry", "sum"))
    assert made.content == "table:2:0x8,0x6"


@pytest.mark.parametrize(
    "text",
    [
        "table:", "table:3", "table:3:", "table:3:96", "table:3:0x", "table:3:0x1ff", "table:0:0x1",
        "table:17:0x1", "table:999999999:0x1", "table:2:0x8/0x0", "table:2:0x8/", "table:2:0x8:a",
        "table:2:0x8:a:y", "table:2:0x8:a,a:y", "table:2:0x8:a,b:", "table:2:0x8/0x1f", "table:-2:0x8",
        "table:2:0x8,", "@table:2:8", "table:2:0x8:a,b:y:z",
    ],
)  # fmt: skip
def test_what_is_no_table_is_refused_in_a_line(text):
    assert is_table(text)
    with pytest.raises(InputError) as error:
        parse_table(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 500
