"""Options: one entry in `Settings` is all that a new setting needs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import numpy as np
import pytest
from click.testing import CliRunner

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import defaults, family_target
from gatewalk.campaign import campaign, run
from gatewalk.campaign import spec as spec_module
from gatewalk.campaign.export import export
from gatewalk.campaign.labels import labels
from gatewalk.campaign.plan import plan
from gatewalk.campaign.store_file import CELL
from gatewalk.cgp.law import PAPER, TINYVERSE, CgpLaw
from gatewalk.circuit.own_targets import target
from gatewalk.cli.evolve import evolve as evolve_command
from gatewalk.errors import InputError
from gatewalk.search.evolve import run_once
from gatewalk.search.options import Column, Option, check_values, columns_of, described, number_of, options_of
from gatewalk.search.reading import (
    LARGEST_SAMPLE_BYTES,
    MOST_NODES,
    count_of,
    in_n,
    resolve_gate_names,
    resolve_law,
    resolve_mutation,
    resolve_nodes,
    resolve_target_name,
    resolve_training,
    training_rows,
    why_hopeless,
    with_options,
)
from gatewalk.search.runs import RUN_COLUMNS, Run
from gatewalk.search.settings import CELL_COLUMNS, OPTIONS, cell_values, law_text, settings

PLAIN = [name for name in OPTIONS if name not in ("target", "law")]


def test_options_are_read_off_the_fields_of_a_dataclass():
    @dataclass(frozen=True)
    class Small:
        size: int = field(metadata=described(Option(resolve=lambda written, so_far: written, default=3)))

    assert options_of(Small)["size"].default == 3


@pytest.mark.parametrize("name", PLAIN)
def test_the_command_line_has_every_option(name):
    option = OPTIONS[name]
    shown = CliRunner().invoke(evolve_command, ["--help"]).output
    assert f"--{option.flag or name} " in shown
    assert option.help.split()[0] in shown


@pytest.mark.parametrize("name", PLAIN)
def test_campaigns_and_settings_take_every_option(name):
    assert name in spec_module.AXES
    written = {"gates": "and"}.get(name, OPTIONS[name].default)
    assert settings("and:3", **{name: written}) == settings("and:3")
    assert len(plan(campaign(target="and:3", replications=1, **{name: [written]}))) == 1


def test_every_column_of_a_cell_is_stored_exported_and_in_json(tmp_path):
    names = [column.name for column in CELL_COLUMNS]
    assert set(names) <= {column.name for column in CELL}
    with run(campaign(target="and:2", replications=1, seed=5), jobs=1) as results:
        header = export(results, "csv", tmp_path / "runs.csv").read_text().splitlines()[0].split(",")
        (one,) = results.runs()
    assert header[: len(names)] == names
    assert list(one.record())[: len(names)] == names
    assert {name: one.record()[name] for name in names} == cell_values(settings("and:2"), 5)


def test_what_determines_a_run_is_in_its_hash_and_nothing_else():
    law = json.loads(law_text(settings("and:4")))
    assert set(law) == {option.law for option in OPTIONS.values() if option.law}
    same = law_text(settings("and:4", budget=5, evaluation="table"))
    assert same == law_text(settings("and:4"))
    for changed in ({"nodes": 9}, {"training": "sample"}, {"offspring": 2}, {"options": {"ties": "coin"}}):
        assert law_text(settings("and:4", **changed)) != law_text(settings("and:4"))


def test_labels_tell_cells_apart_by_any_option():
    first = cell_values(settings("and:4"), 1)
    for changed in (
        {"nodes": 9}, {"selection": "strict"}, {"profile": "tinyverse"}, {"training": "sample"},
        {"mutation": "point:2"}, {"offspring": 2}, {"gates": "and,or"}, {"budget": 7},
        {"options": {"ties": "coin"}}, {"algorithm": "tgp-multi"},
    ):  # fmt: skip
        names = labels([first, cell_values(settings("and:4", **changed), 1)])
        assert names[0] != names[1]


RIGHT = {
    "text": ["", "and:4"],
    "count": [0, 2**63 - 1],
    "total": [0, 2**63 - 1, 1e30],
    "real": [0.5, -1.0, 3],
    "truth": [0, 1, True],
    "number": [0, 2**200, "0", "1" + "0" * 5000],
    "bytes": [b"", b"\0"],
}
WRONG = {
    "text": [1, b"and:4", None],
    "count": [-1, 2**63, 1.0, True, "1", None],
    "total": [-1, float("inf"), float("nan"), "1"],
    "real": [float("nan"), float("inf"), "1", None],
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
    assert settings("and:4").law == PAPER
    made = settings("and:4", profile="tinyverse")
    assert made.law == TINYVERSE
    assert made.options == {}
    one = settings("and:4", profile="tinyverse", options={"ties": "accept", "levels_back": "none"})
    assert one.options == {"ties": "accept", "levels_back": None}
    assert settings("and:4", options={"starts": "2", "levels_back": "5"}).options == {
        "starts": 2,
        "levels_back": 5,
    }


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"algorithm": "cpg"}, "did you mean cgp"),
        ({"selection": "stric"}, "did you mean strict"),
        ({"profile": "x"}, "use paper, tinyverse"),
        ({"evaluation": "tables"}, "did you mean table"),
        ({"mutation": "point:0"}, "point:K"),
        ({"mutation": "rate:2"}, "0 < P <= 1"),
        ({"training": "sample:0"}, "sample:ROWS"),
        ({"training": "half"}, "use complete"),
        ({"training": 5}, "training is 5; it must be text"),
        ({"mutation": 3}, "mutation is 3; it must be text"),
        ({"selection": True}, "unknown selection True"),
        ({"budget": -1}, "budget is -1"),
        ({"budget": 1.5}, "budget must be a whole number, not 1.5"),
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
def test_errors_say_what_is_possible(wrong, words):
    with pytest.raises(InputError, match=words):
        settings("and:4", **wrong)


def test_parts_may_be_given_instead_of_names():
    by_name = settings("and:4", gates="and,or", budget=10)
    assert settings(family_target("and:4"), gates=gate_set("and,or"), budget=np.int64(10)) == by_name


@pytest.mark.parametrize("wrong", [{"seed": -1, "run": 0}, {"seed": 1.5, "run": 0}, {"seed": 1, "run": -1}])
def test_a_seed_is_a_natural_number(wrong):
    with pytest.raises(InputError, match=r"(seed|run) (is|must be) "):
        run_once(settings("and:4"), **wrong)


def test_law_text_holds_what_determines_a_run_and_nothing_else():
    base = settings("and:9")
    same = settings("and:9", nodes=18, budget=5, evaluation="reference", gates=["and"])
    assert law_text(base) == law_text(same)
    others = [
        settings("and:9", nodes=17),
        settings("and:9", selection="strict"),
        settings("and:9", options={"ties": "coin"}),
        settings("and:9", mutation="point:1"),
        settings("and:9", training="sample"),
        settings("and:9", offspring=2),
        settings("and:9", gates="and,or"),
        settings("and:9", algorithm="tgp-single"),
        settings("and:9", algorithm="tgp-multi"),
    ]
    texts = {law_text(one) for one in [base, *others]}
    assert len(texts) == len(others) + 1
    assert json.loads(law_text(settings("and:9", training="sample")))["rows"] == 18
    assert law_text(settings("and:9", training="sample")) == law_text(settings("and:9", training="sample:18"))


def test_own_gates_are_honoured_and_known_by_what_they_do():
    made = settings("maj:3", nodes=20, gates="mine=0x17,and")
    assert made.gates == ("mine=0x17", "and")
    run = run_once(made, seed=1, run=0)
    assert run.solved
    assert {node.gate.name for node in run.circuit.nodes} <= {"mine", "and"}
    other = settings("maj:3", nodes=20, gates="other=0x17,and")
    assert law_text(made) == law_text(other) != law_text(settings("maj:3", nodes=20, gates="mine=0x16,and"))
    assert run_once(other, seed=1, run=0).program.tolist() == run.program.tolist()


SO_FAR = {
    "target": "and:8",
    "algorithm": "cgp",
    "profile": "paper",
    "nodes": 16,
    "gates": ("and",),
}


def test_what_is_not_written_comes_from_the_target():
    assert resolve_nodes(None, SO_FAR) == defaults(target("and:8")).nodes == 16
    assert resolve_gate_names(None, SO_FAR) == ("and",)
    assert count_of("budget", "budget", least=0)(None, SO_FAR) == 1_000_000


def test_what_is_written_wins():
    assert resolve_nodes("3n+1", SO_FAR) == 25
    assert resolve_gate_names("and,or", SO_FAR) == ("and", "or")
    assert resolve_target_name("and:8", {}) == "and:8"
    assert count_of("budget", "budget", least=0)(7, SO_FAR) == 7
    assert resolve_law({"ties": "coin"}, SO_FAR).ties == "coin"


@pytest.mark.parametrize(
    ("written", "resolved"),
    [
        ("sam", "sam"),
        ("rate:5e-2", "rate:0.05"),
        ("rate:1%", "rate:0.01"),
        ("point:10%", "point:5"),  # of 16 nodes with a function and two connections each, and an output: 49
        ("point:0.1%", "point:1"),
    ],
)
def test_mutations_are_written_in_one_way(written, resolved):
    assert resolve_mutation(written, SO_FAR) == resolved


@pytest.mark.parametrize(("text", "rows"), [("complete", None), ("sample", 15), ("sample:7", 7)])
def test_rows_of_a_training_set(text, rows):
    assert training_rows(text, target("and:8")) == rows
    assert resolve_training(text, SO_FAR) == text


@pytest.mark.parametrize("text", ["", "all", "sample:", "sample:0", "sample:-3", "sample:x", "complete:5"])
def test_an_unknown_training_set_is_refused(text):
    with pytest.raises(InputError, match="use complete, sample or sample:ROWS"):
        training_rows(text, target("and:8"))


def test_a_sample_that_does_not_fit_into_memory_is_refused():
    fits = LARGEST_SAMPLE_BYTES * 8 // 9
    assert training_rows(f"sample:{fits}", target("and:8")) == fits
    with pytest.raises(InputError, match="GiB of memory; use fewer rows"):
        training_rows(f"sample:{fits + 100}", target("and:8"))


def test_a_count_below_the_least_is_refused():
    with pytest.raises(InputError, match="offspring"):
        count_of("offspring", "offspring", least=1)(0, SO_FAR)


def test_texts_and_values_are_the_same():
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
    ],
)
def test_expressions(text, value):
    assert in_n(text, 8) == value


@pytest.mark.parametrize("text", ["", "m", "2n+", "n^3", "-3", "1.5", "n-9", "0"])
def test_wrong_expressions(text):
    with pytest.raises(InputError, match="nodes is"):
        in_n(text, 8)


def test_a_number_of_nodes_has_a_limit():
    assert in_n(str(MOST_NODES), 8) == MOST_NODES
    for text in (MOST_NODES + 1, "n^2", "9" * 5000):
        with pytest.raises(InputError, match="at most"):
            in_n(text, MOST_NODES)


def test_too_few_nodes_are_a_doubt_not_an_error():
    (doubt,) = why_hopeless(settings("and:8", nodes=6))
    assert "at least 7" in doubt
    assert why_hopeless(settings("and:8", nodes=7)) == []
    assert why_hopeless(settings("and:8", nodes=4, gates="and3")) == []
    assert "at least 9" in why_hopeless(settings("parity:4", nodes=8))[0]


def test_gates_that_cannot_express_the_target_are_a_doubt():
    assert "monotone" in why_hopeless(settings("xor:3", nodes=9, gates="and,or"))[0]
    assert why_hopeless(settings("xor:3", nodes=9, gates="nand")) == []
