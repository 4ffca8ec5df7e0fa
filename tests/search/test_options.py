"""Options: words become values once, and one entry in the table is all that a new setting needs."""

import inspect
import json
import pickle

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from refusals import BAD_SETTINGS
from walks import same_run

import gatewalk as gw
from gatewalk.boolean.targets import defaults, family_target
from gatewalk.boolean.training import COMPLETE, SAMPLE_LIMIT_BYTES
from gatewalk.campaign import campaign, run
from gatewalk.campaign import spec as spec_module
from gatewalk.campaign.export import export
from gatewalk.campaign.labels import labels
from gatewalk.campaign.planning import plan
from gatewalk.campaign.store_file import CELL
from gatewalk.cgp.cgp_search import PAPER, TINYVERSE, CgpLaw
from gatewalk.cgp.mutations.point import Point
from gatewalk.cgp.mutations.rate import Rate
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.circuit.own_targets import target
from gatewalk.cli.evolve import evolve as evolve_command
from gatewalk.errors import MOST, InputError
from gatewalk.search.columns import Column, check_values, columns_of, number_of
from gatewalk.search.evolve import run_many
from gatewalk.search.options import (
    CELL_COLUMNS,
    KEYWORDS,
    OPTIONS,
    cell_values,
    changed_options,
    law_text,
    search_for,
)
from gatewalk.search.reading import (
    MOST_NODES,
    count_of,
    in_n,
    read_gates,
    read_law,
    read_mutation,
    read_nodes,
    read_target,
    read_training,
    why_unsolvable,
    with_options,
)
from gatewalk.search.runs import RUN_COLUMNS, Run
from gatewalk.search.seeds import cell_of

PLAIN = [name for name in OPTIONS if name not in ("target", "law")]
THIRD = [0, 0, 1, 0, 2, 3, 0, 0, 1, 5]  # and:4 in three nodes


@pytest.mark.parametrize("name", PLAIN)
def test_the_command_line_has_every_option(name):
    option = OPTIONS[name]
    shown = CliRunner().invoke(evolve_command, ["--help"]).output
    assert f"--{option.flag or name} " in shown
    assert option.help.split()[0] in shown


@pytest.mark.parametrize("name", PLAIN)
def test_campaigns_and_python_take_every_option(name):
    assert name in spec_module.AXES
    written = {"gates": "and"}.get(name, OPTIONS[name].default)
    assert search_for("and:3", **{name: written}) == search_for("and:3")
    assert len(plan(campaign(target="and:3", replications=1, **{name: [written]}))) == 1


def test_every_column_of_a_cell_is_stored_exported_and_in_json(tmp_path):
    names = [column.name for column in CELL_COLUMNS]
    assert set(names) <= {column.name for column in CELL}
    with run(campaign(target="and:2", replications=1, seed=5), jobs=1) as results:
        header = export(results, "csv", tmp_path / "runs.csv").read_text().splitlines()[0].split(",")
        (stored,) = results.runs()
    assert header[: len(names)] == names
    assert list(stored.record())[: len(names)] == names
    assert {name: stored.record()[name] for name in names} == cell_values(search_for("and:2"), 5)


@pytest.mark.parametrize("function", [gw.search_for, gw.evolve])
def test_help_shows_every_word_with_its_default(function):
    shown = inspect.signature(function).parameters
    words = {name: parameter for name, parameter in shown.items() if name in KEYWORDS and name != "target"}
    assert set(words) == set(KEYWORDS) - {"target"}
    assert all(word.default == OPTIONS[KEYWORDS[name]].default for name, word in words.items())
    assert not any(parameter.kind == inspect.Parameter.VAR_KEYWORD for parameter in shown.values())


def test_the_old_name_is_there_for_one_version():
    with pytest.warns(DeprecationWarning, match="settings is now called search_for"):
        assert gw.settings("and:4", nodes=9) == gw.search_for("and:4", nodes=9)


# Words, and the values that they stand for.
ALIKE = {
    "target": ({"target": "and:4"}, {"target": family_target("and:4")}),
    "sam": ({"mutation": "sam"}, {"mutation": gw.Sam()}),
    "point": ({"mutation": "point:3"}, {"mutation": gw.Point(3)}),
    "point, a share": ({"mutation": "point:10%"}, {"mutation": gw.Point(2)}),  # of 25 genes, rounded to even
    "rate": ({"mutation": "rate:5e-2"}, {"mutation": gw.Rate(0.05)}),
    "rate, a share": ({"mutation": "rate:5%"}, {"mutation": gw.Rate(0.05)}),
    "rate 1": ({"mutation": "rate:1"}, {"mutation": gw.Rate(1)}),
    "rate 1.0": ({"mutation": "rate:1.0"}, {"mutation": gw.Rate(1.0)}),
    "gates": ({"gates": "and,or"}, {"gates": gw.gate_set("and,or")}),
    "names of gates": ({"gates": "and,or"}, {"gates": ["and", gw.gate("or")]}),
    "complete": ({"training": "complete"}, {"training": COMPLETE}),
    "sample": ({"training": "sample"}, {"training": gw.Sample()}),
    "rows": ({"training": "sample:40"}, {"training": gw.Sample(40)}),
    "nodes": ({"nodes": "3n+1"}, {"nodes": 13}),
    "budget": ({"budget": 1_000_000}, {"budget": 1e6}),
    "budget of numpy": ({"budget": 1_000_000}, {"budget": np.int64(1_000_000)}),
    "lambda": ({"offspring": 4}, {"offspring": 4.0}),
    "options": ({"options": {"starts": "2"}}, {"options": {"starts": 2}}),
    "start": (
        {"nodes": 3, "start": "genes:" + ",".join(map(str, THIRD))},
        {"nodes": 3, "start": tuple(THIRD)},
    ),
    "trees": (
        {"algorithm": "tgp-multi", "gates": "and,or", "training": "sample:9"},
        {"algorithm": "tgp-multi", "gates": gw.gate_set("and,or"), "training": gw.Sample(9)},
    ),
}


@pytest.mark.parametrize("name", ALIKE)
def test_words_and_values_are_read_alike(name):
    words, values = ({"target": "and:4", **written} for written in ALIKE[name])
    search, other = search_for(**words), search_for(**values)
    assert search == other
    assert hash(search) == hash(other)
    assert law_text(search) == law_text(other)
    assert cell_values(search, 5) == cell_values(other, 5)
    again = pickle.loads(pickle.dumps(search))
    assert (again, law_text(again)) == (search, law_text(search))


def test_a_rate_of_1_and_of_1_0_are_two_searches():
    whole, real = (search_for("and:4", mutation=f"rate:{text}") for text in ("1", "1.0"))
    assert whole != real
    assert cell_of(whole) != cell_of(real)
    assert [json.loads(law_text(search))["mutation"] for search in (whole, real)] == ["rate:1", "rate:1.0"]


def test_a_sample_is_stored_as_it_was_written_and_seeded_by_its_rows():
    plain, padded = search_for("and:4", training="sample:9"), search_for("and:4", training="sample:09")
    assert law_text(plain) == law_text(padded)
    assert cell_values(plain, 1)["training"] == "sample:9"
    assert cell_values(padded, 1)["training"] == "sample:09"
    same, other = (run_many(search, seed=1, runs=range(3)) for search in (plain, padded))
    assert same.iterations.tolist() == other.iterations.tolist()


def test_a_search_that_was_used_can_be_pickled():
    search = search_for("and:3", algorithm="tgp-single", options={"terminals": "inputs+undesired:2"})
    runs = run_many(search, seed=1, runs=range(3))
    again = pickle.loads(pickle.dumps(runs))
    assert again.search == search
    assert all(same_run(a, b) for a, b in zip(runs, again, strict=True))
    assert all(
        same_run(a, b) for a, b in zip(runs, run_many(again.search, seed=1, runs=range(3)), strict=True)
    )


def test_what_trees_do_not_have_is_not_read():
    search = search_for("and:4", algorithm="tgp-single", nodes=7, mutation="point:3")
    assert search == search_for("and:4", algorithm="tgp-single")
    values = cell_values(search, 5)
    assert (values["nodes"], values["mutation"], values["start"]) == (None, None, "random")
    assert {json.loads(law_text(search))[key] for key in ("nodes", "mutation")} == {None}


def test_what_determines_a_run_is_in_its_hash_and_nothing_else():
    search = search_for("and:9")
    assert set(json.loads(law_text(search))) == {
        option.identity[0] for option in OPTIONS.values() if option.identity
    }
    same = search_for("and:9", nodes=18, budget=5, evaluation="reference", gates=["and"])
    assert law_text(same) == law_text(search)
    others = [
        search_for("and:9", nodes=17),
        search_for("and:9", selection="strict"),
        search_for("and:9", options={"ties": "coin"}),
        search_for("and:9", mutation="point:1"),
        search_for("and:9", training="sample"),
        search_for("and:9", offspring=2),
        search_for("and:9", gates="and,or"),
        search_for("and:9", nodes=8, start="penultimate"),
        search_for("and:9", nodes=8),
        search_for("and:9", algorithm="tgp-single"),
        search_for("and:9", algorithm="tgp-multi"),
    ]
    assert len({law_text(other) for other in [search, *others]}) == len(others) + 1
    sampled = search_for("and:9", training="sample")
    assert json.loads(law_text(sampled))["rows"] == 18
    assert law_text(sampled) == law_text(search_for("and:9", training="sample:18"))


def test_labels_tell_cells_apart_by_any_option():
    first = cell_values(search_for("and:4"), 1)
    for changed in (
        {"nodes": 9}, {"selection": "strict"}, {"profile": "tinyverse"}, {"training": "sample"},
        {"mutation": "point:2"}, {"offspring": 2}, {"gates": "and,or"}, {"budget": 7},
        {"options": {"ties": "coin"}}, {"algorithm": "tgp-multi"},
    ):  # fmt: skip
        names = labels([first, cell_values(search_for("and:4", **changed), 1)])
        assert names[0] != names[1]


RIGHT = {
    "text": ["", "and:4"],
    "count": [0, 2**63 - 1],
    "total": [0, 2**63 - 1, 1e30],
    "real": [0.5, 0.0, 1e12, 3],
    "truth": [0, 1, True],
    "number": [0, 2**200, "0", "1" + "0" * 5000],
    "bytes": [b"", b"\0"],
}
WRONG = {
    "text": [1, b"and:4", None],
    "count": [-1, 2**63, 1.0, True, "1", None],
    "total": [-1, float("inf"), float("nan"), 10**400, "1"],
    "real": [float("nan"), float("inf"), -0.1, 1.1e12, 10**400, "1", None],
    "truth": [2, -1, "1", 1.0],
    "number": [-1, "-1", "x", "١", "", 1.0, "1" * 500_000],
    "bytes": ["", 1],
}


@pytest.mark.parametrize("kind", RIGHT)
def test_each_kind_takes_its_values_and_no_others(kind):
    column = Column(name="some", kind=kind)
    check_values(column, RIGHT[kind])
    for wrong in WRONG[kind]:
        with pytest.raises(InputError, match="some is ") as error:
            check_values(column, [*RIGHT[kind], wrong])
        assert len(str(error.value)) < 400


def test_no_value_only_where_there_may_be_none():
    check_values(Column(name="some", kind="real", optional=True), [0.5, None])
    with pytest.raises(InputError, match="some is None"):
        check_values(Column(name="some", kind="real"), [0.5, None])


def test_numbers_beyond_64_bits_are_text():
    assert number_of(7) == 7
    assert number_of(str(2**100)) == 2**100


def test_the_columns_of_a_run_are_its_fields():
    assert columns_of(Run) == RUN_COLUMNS
    names = [column.name for column in RUN_COLUMNS]
    assert names[0] == "run"
    assert {"iterations", "solved", "fitness", "gates", "seconds"} <= set(names)
    assert "program" not in names


def test_profiles_are_named_sets_of_options():
    assert search_for("and:4").law == PAPER
    search = search_for("and:4", profile="tinyverse")
    assert search.law == TINYVERSE
    assert changed_options(search) == {}
    search = search_for("and:4", profile="tinyverse", options={"ties": "accept", "levels_back": "none"})
    assert changed_options(search) == {"ties": "accept", "levels_back": None}
    search = search_for("and:4", options={"starts": "2", "levels_back": "5"})
    assert changed_options(search) == {"starts": 2, "levels_back": 5}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"algorithm": "cpg"}, "did you mean cgp"),
        ({"selection": "stric"}, "did you mean strict"),
        ({"profile": "x"}, "use paper, tinyverse"),
        ({"evaluation": "tables"}, "did you mean table"),
        ({"mutation": "point:0"}, "point:K"),
        ({"mutation": "rate:2"}, "0 < P <= 1"),
        ({"mutation": 3}, "mutation is 3; it must be text"),
        ({"mutation": PAPER}, "mutation is .*; it must be text"),
        ({"training": "sample:0"}, "sample:ROWS"),
        ({"training": "half"}, "use complete"),
        ({"training": 5}, "training is 5; it must be text"),
        ({"selection": True}, "unknown selection True"),
        ({"budget": -1}, "budget is -1"),
        ({"budget": 1.5}, "budget must be a whole number, not 1.5"),
        ({"budget": 1e30}, f"budget is .*; it must be at most {MOST:,}"),
        ({"budget": float("nan")}, "budget must be a whole number, not nan"),
        ({"budget": float("inf")}, "budget must be a whole number, not inf"),
        ({"budget": "7"}, "budget must be a whole number, not '7'"),
        ({"offspring": 0}, "lambda is 0"),
        ({"gates": "andd"}, "unknown gate"),
        ({"options": {"tie": "coin"}}, "this algorithm are sam_ends"),
        ({"options": {"ties": "dice"}}, "use accept, coin"),
        ({"start": "nowhere.json"}, "--start: nowhere.json: .*; use random"),
        ({"start": "penultimate"}, "n-1 nodes"),
        ({"start": "near-optimum"}, "for xor:N with gates xor"),
        ({"start": "genes:1,2"}, "25 genes, not 2"),
    ],
)
def test_errors_say_what_is_possible_and_which_option_is_wrong(wrong, words):
    with pytest.raises(InputError, match=words) as error:
        search_for("and:4", **wrong)
    (name,) = wrong
    assert error.value.option.partition(".")[0] == KEYWORDS[name]


@pytest.mark.parametrize(("flag", "value", "naming"), BAD_SETTINGS)
def test_what_no_door_takes_is_refused_here(flag, value, naming):
    name = "offspring" if flag == "lambda" else flag
    with pytest.raises(InputError) as error:
        search_for("and:4", **{name: value})
    assert naming in str(error.value)
    assert "\n" not in str(error.value)
    assert error.value.option == name


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("node", "did you mean nodes"),
        ("law", "did you mean options"),
        ("lambda", "did you mean offspring"),
        ("lambda_", "did you mean offspring"),
        ("lamda", "did you mean offspring"),
        ("seed", "choose from"),
    ],
)
def test_an_unknown_word_is_told_which_there_are(name, hint):
    with pytest.raises(InputError, match=f"unknown setting '{name}'; .*{hint}") as error:
        search_for("and:4", **{name: 3})
    assert all(keyword in str(error.value) for keyword in KEYWORDS)


def test_an_option_of_the_law_is_a_word_of_its_own():
    assert search_for("and:4", ties="coin") == search_for("and:4", options={"ties": "coin"})
    both = search_for("and:4", ties="coin", options={"starts": 3})
    assert (both.law.ties, both.law.starts) == ("coin", 3)
    with pytest.raises(InputError, match="option ties is 3; use accept, coin"):
        search_for("and:4", ties=3)
    with pytest.raises(InputError, match="options are 3; they must be names with values"):
        search_for("and:4", ties="coin", options=3)
    with pytest.raises(InputError, match="unknown option 'insert_at'; the options of this algorithm are"):
        search_for("and:4", insert_at="leaf")


def test_parts_may_be_given_instead_of_names():
    by_name = search_for("and:4", gates="and,or", budget=10)
    parts = search_for(family_target("and:4"), gates=gw.gate_set("and,or"), budget=np.int64(10))
    assert parts == by_name


def test_own_gates_are_honoured_and_known_by_what_they_do():
    search = search_for("maj:3", nodes=20, gates="mine=0x17,and")
    assert str(search.gates) == "mine=0x17,and"
    (solved,) = run_many(search, seed=1, runs=[0])
    assert solved.solved
    assert {node.gate.name for node in solved.circuit.nodes} <= {"mine", "and"}
    other = search_for("maj:3", nodes=20, gates="other=0x17,and")
    assert law_text(search) == law_text(other)
    assert law_text(search) != law_text(search_for("maj:3", nodes=20, gates="mine=0x16,and"))
    assert run_many(other, seed=1, runs=[0])[0].program.tolist() == solved.program.tolist()


SO_FAR = {
    "target": target("and:8"),
    "algorithm": "cgp",
    "profile": "paper",
    "nodes": 16,
    "gates": gw.gate_set("and"),
}


def test_what_is_not_written_comes_from_the_target():
    assert read_nodes(None, SO_FAR) == defaults(target("and:8")).nodes == 16
    assert read_gates(None, SO_FAR).names == ("and",)
    assert count_of("budget", "budget", least=0)(None, SO_FAR) == 1_000_000


def test_what_is_written_wins():
    assert read_nodes("3n+1", SO_FAR) == 25
    assert read_gates("and,or", SO_FAR).names == ("and", "or")
    assert read_target("and:8", {}) == family_target("and:8")
    assert count_of("budget", "budget", least=0)(7, SO_FAR) == 7
    assert read_law({"ties": "coin"}, SO_FAR).ties == "coin"


@pytest.mark.parametrize(
    ("written", "mutation"),
    [
        ("sam", Sam()),
        ("rate:5e-2", Rate(0.05)),
        ("rate:1%", Rate(0.01)),
        ("point:10%", Point(5)),  # of 16 nodes with a function and two connections each, and an output: 49
        ("point:0.1%", Point(1)),
    ],
)
def test_shares_of_mutations_are_of_the_genes_or_probabilities(written, mutation):
    assert read_mutation(written, SO_FAR) == mutation


@pytest.mark.parametrize(("text", "rows"), [("complete", None), ("sample", 15), ("sample:7", 7)])
def test_rows_of_a_training_set(text, rows):
    assert search_for("and:8", training=text).rows == rows
    assert str(read_training(text, SO_FAR)) == text


@pytest.mark.parametrize("text", ["", "all", "sample:", "sample:0", "sample:-3", "sample:x", "complete:5"])
def test_an_unknown_training_set_is_refused(text):
    with pytest.raises(InputError, match="use complete, sample or sample:ROWS"):
        read_training(text, SO_FAR)


def test_a_sample_that_does_not_fit_into_memory_is_refused():
    fits = SAMPLE_LIMIT_BYTES * 8 // 9
    assert search_for("and:8", training=f"sample:{fits}").rows == fits
    for written in (f"sample:{fits + 100}", gw.Sample(fits + 100)):
        with pytest.raises(InputError, match="GiB of memory; use fewer rows"):
            read_training(written, SO_FAR)


def test_a_count_below_the_least_is_refused():
    with pytest.raises(InputError, match="offspring"):
        count_of("offspring", "offspring", least=1)(0, SO_FAR)


def test_texts_and_values_of_options_are_the_same():
    written = {"starts": "2", "levels_back": "none", "ties": "coin"}
    assert with_options(PAPER, written) == with_options(
        PAPER, {"starts": 2, "levels_back": None, "ties": "coin"}
    )
    assert with_options(PAPER, {"levels_back": "5"}) == CgpLaw(levels_back=5)
    assert with_options(PAPER, {}) is PAPER


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tie": "coin"}, "unknown option 'tie'; the options of this algorithm are sam_ends"),
        ({"ties": "dice"}, "option ties is 'dice'; use accept, coin"),
        ({"ties": 1}, "option ties is 1; use accept, coin"),
        ({"starts": True}, "option starts is True; use a number"),
        ({"starts": 1.5}, "option starts is 1.5; use a number"),
        ({"starts": 10**12}, "at most 1,000,000,000"),
        ({"starts": "9" * 5000}, "at most 1,000,000,000"),
        ({"levels_back": 10**5000}, "at most 1,000,000,000"),
        ("ties=coin", "options are 'ties=coin'; they must be names with values"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(options, words):
    with pytest.raises(InputError) as error:
        with_options(PAPER, options)
    assert words in str(error.value)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("16", 16),
        (16, 16),
        ("n", 8),
        ("2n", 16),
        ("3n+1", 25),
        ("n-1", 7),
        ("n^2", 64),
        ("2*n - 3", 13),
        ("3N", 24),
        ("n^3", 512),
        ("n²", 64),
        ("n^1.5", 23),  # 22.6
        ("n^2.5", 182),  # 181.02
        ("2n^0.5+1", 7),  # 5.66, rounded up before 1 is added
        ("3*n^1.585 - 1", 81),  # 81.002
        ("n^0.000", 1),
    ],
)
def test_expressions(text, value):
    assert in_n(text, 8) == value


@pytest.mark.parametrize(
    "text", ["", "m", "2n+", "n^", "n^-1", "n^.5", "n^1.2345", "-3", "1.5", "n-9", "0", "0n^1.5"]
)
def test_wrong_expressions(text):
    with pytest.raises(InputError, match="nodes is"):
        in_n(text, 8)


@given(st.integers(1, 3000), st.integers(1, 50), st.integers(0, 3000))
def test_a_real_power_is_rounded_up_exactly(n, factor, thousandths):
    """With power a/1000 it is the least m with m^1000 ≥ (factor · n^power)^1000."""
    text = f"{factor}n^{thousandths // 1000}.{thousandths % 1000:03}"
    wanted = factor**1000 * n**thousandths
    try:
        found = in_n(text, n)
    except InputError:  # too many nodes
        assert wanted > MOST_NODES**1000
        return
    assert (found - 1) ** 1000 < wanted <= found**1000


def test_a_power_that_is_whole_is_not_rounded_up():
    for root in range(1, 216):
        assert in_n("n^1.5", root**2) == root**3
        assert in_n("7n^0.5", root**2) == 7 * root
        assert in_n("n^0.125", root**8) == root


def test_a_huge_power_is_refused_at_once():
    for text in ("n^99.999", "n^2.5-1", f"{'9' * 4000}n^1.5", "n^99"):
        with pytest.raises(InputError, match="for n = 1000000; at most 10,000,000 are possible"):
            in_n(text, 1_000_000)


def test_a_number_of_nodes_has_a_limit():
    assert in_n(str(MOST_NODES), 8) == MOST_NODES
    for text in (MOST_NODES + 1, "n^2", "n^1.5", "9" * 5000):
        with pytest.raises(InputError, match="at most"):
            in_n(text, MOST_NODES)


def test_too_few_nodes_are_a_doubt_not_an_error():
    assert "at least 7" in why_unsolvable(search_for("and:8", nodes=6))
    assert why_unsolvable(search_for("and:8", nodes=7)) is None
    assert why_unsolvable(search_for("and:8", nodes=4, gates="and3")) is None
    assert "at least 9" in why_unsolvable(search_for("parity:4", nodes=8))


def test_gates_that_cannot_express_the_target_are_a_doubt():
    assert "monotone" in why_unsolvable(search_for("xor:3", nodes=9, gates="and,or"))
    assert "monotone" in why_unsolvable(search_for("xor:3", algorithm="tgp-multi", gates="and,or"))
    assert why_unsolvable(search_for("xor:3", nodes=9, gates="nand")) is None


def test_inputs_out_of_reach_are_a_doubt():
    near = search_for("and:4", nodes=9, options={"levels_back": 3, "levels_over": "sources"})
    assert why_unsolvable(near) == "with levels_back = 3 no node reads x1, the first of 4 inputs"
    assert why_unsolvable(search_for("and:4", nodes=9, options={"levels_back": 3})) is None
