"""Outputs that are known at once are not asked about, and what is left over is counted."""

from gatewalk.boolean.truth_table import table_target
from gatewalk.synthesis.exact_reduction import Link, reduction
from gatewalk.synthesis.exact_synthesis import TWO_INPUT_GATES
from gatewalk.synthesis.repertoire import repertoire
from gatewalk.synthesis.target_tables import target_tables


def reduced(values, gates, cares=None):
    target = table_target(values, 2, cares=cares)
    return reduction(target_tables(target, most_inputs=2, purpose="a test"), repertoire(gates))


def test_links_where_negations_are_free():
    #            a    and  b    and  nand ~a   0    1    or   ~a
    values = [0xA, 0x8, 0xC, 0x8, 0x7, 0x5, 0x0, 0xF, 0xE, 0x5]
    found = reduced(values, TWO_INPUT_GATES)
    assert found.asked == (1, 8)
    assert found.links == {
        0: Link("input", 0),
        2: Link("input", 1),
        3: Link("output", 1),
        4: Link("output", 1, negated=True),
        5: Link("input", 0, negated=True),
        6: Link("constant", 0),
        7: Link("constant", 1),
        9: Link("output", 5),
    }
    assert found.extra == 4


def test_links_where_they_are_not():
    found = reduced([0xA, 0x8, 0x7, 0x8, 0x5], "nand")
    assert found.links == {0: Link("input", 0), 3: Link("output", 1)}
    assert (found.asked, found.extra, found.negated) == ((1, 2, 4), 0, (False, False, False))


def test_normal_form_asks_for_functions_that_are_0_on_its_row():
    found = reduced([0x7, 0xE], TWO_INPUT_GATES)  # nand and or; on row 0 they are 1 and 0
    assert (found.row, found.negated) == (0, (True, False))
    assert all(table & 1 == 0 for table in found.question.functions[2])
    assert found.question.rows == 3


def test_the_row_of_normal_form_counts_for_every_output():
    found = reduced([0x8, 0x6], TWO_INPUT_GATES, cares=[0xE, 0xD])
    assert found.row == 2
    assert found.question.functions[1] == (0b10,)  # a copy, which may have to be a negation


def test_without_a_row_that_counts_for_all_there_is_no_normal_form():
    found = reduced([0x4, 0x1], TWO_INPUT_GATES, cares=[0xC, 0x3])
    assert found.question.functions[2] == repertoire(TWO_INPUT_GATES).tables(2)
    assert found.question.rows == 4
