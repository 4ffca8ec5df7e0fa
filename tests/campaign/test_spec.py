"""Campaigns from TOML and from Python."""

from dataclasses import dataclass, replace

import pytest

import gatewalk as gw
from gatewalk.boolean.training import Complete
from gatewalk.campaign import campaign, grid, plan, read
from gatewalk.campaign.spec import line_of, parse
from gatewalk.errors import InputError

SPEC = """seed = 7
replications = 200
budget = 200_000
lambda = 2
[law]
ties = "coin"
[grid]
target = ["and:4", "xor:3"]
nodes = ["n", 9]
"""


def test_a_file_becomes_a_campaign(tmp_path):
    path = tmp_path / "spec.toml"
    path.write_text(SPEC)
    spec = read(path)
    assert (spec.seed, spec.text, spec.source) == (7, SPEC, str(path))
    (only,) = spec.grids
    assert only.values["target"] == ("and:4", "xor:3")
    assert only.values["nodes"] == ("n", 9)
    assert only.values["budget"] == (200_000,)
    assert only.values["offspring"] == (2,)
    assert only.replications == 200
    assert only.law == {"ties": ("coin",)}


def test_python_needs_no_file():
    small = campaign(
        target=["and:4", "xor:3"], nodes=["n", 9], budget=200_000, offspring=2, replications=200, seed=7,
        options={"ties": "coin"},
    )  # fmt: skip
    assert [c.key for c in plan(small)] == [c.key for c in plan(parse(SPEC))]


def test_several_grids_and_shared_options():
    spec = parse('budget = 5\n[[grid]]\ntarget = "and:2"\n[[grid]]\ntarget = "or:2"\nbudget = [6, 7]\n')
    assert [g.values["budget"] for g in spec.grids] == [(5,), (6, 7)]


def test_sizes_as_a_range():
    spec = parse('[grid]\ntarget = ["and", "or"]\nn = ["2..4", 8]\n')
    assert spec.grids[0].n == (2, 3, 4, 8)


def odd(a, b, c):
    return a ^ b ^ c


VALUES = [
    ("target", gw.target("and:4"), "and:4"),
    ("target", gw.target(odd), "table:3:0x96:a,b,c:y"),
    ("target", odd, "table:3:0x96:a,b,c:y"),
    ("target", gw.target(odd, name="odd one, again"), "odd one%2C again@table:3:0x96:a,b,c:y"),
    ("mutation", gw.Sam(), "sam"),
    ("mutation", gw.Point(3), "point:3"),
    ("mutation", gw.Rate(1), "rate:1"),
    ("mutation", gw.Rate(0.1 + 0.2), "rate:0.30000000000000004"),
    ("mutation", gw.Rate(1e-7), "rate:1e-07"),
    ("training", Complete(), "complete"),
    ("training", gw.Sample(), "sample"),
    ("training", gw.Sample(9), "sample:9"),
    ("gates", gw.gate_set("and,or"), "and,or"),
    ("gates", gw.gate_set("or,mine=0x1b,not"), "or,mine=0x1b,not"),
]


@pytest.mark.parametrize(("name", "value", "word"), VALUES, ids=[word for _, _, word in VALUES])
def test_a_value_is_the_word_for_it(name, value, word):
    """The same text in the store, the same cell, and the same search as from the value itself."""
    words = {"target": "maj:3"}
    assert grid(**words | {name: value}).values[name] == (word,)
    (by_value,) = plan(campaign(**words | {name: value}))
    (by_word,) = plan(campaign(**words | {name: word}))
    assert by_value == by_word
    assert by_value.words[name] == word
    assert by_value.search == gw.search_for(**words | {name: value})


def test_values_and_words_in_one_list():
    both = grid(target=["and", gw.target(odd)], n=[2, 3], mutation=[gw.Sam(), "sam", gw.Point(2)])
    assert both.values["mutation"] == ("sam", "sam", "point:2")
    cells = plan(replace(campaign(target="and:2"), grids=(both,)))
    names = [(cell.search.target.name, str(cell.search.mutation)) for cell in cells]
    targets = ("and:2", "and:3", "table:3:0x96:a,b,c:y")  # what has a size is not crossed with n
    assert names == [(target, mutation) for target in targets for mutation in ("sam", "point:2")]


def test_a_target_that_is_not_what_its_name_says_is_known_by_its_function():
    liar = replace(gw.target("and:3"), evaluate=gw.target("or:3").evaluate)
    (cell,) = plan(campaign(target=liar))
    assert cell.search.target.content == gw.target(lambda a, b, c: a | b | c).content
    assert cell.search.target.label == "and:3"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target", 3.5),
        ("target", None),
        ("target", gw.Sam()),
        ("nodes", gw.Sample(9)),
        ("mutation", gw.Sample(9)),
        ("mutation", None),
        ("training", gw.Sam()),
        ("training", 9),
        ("gates", gw.target("and:4")),
        ("gates", gw.gate("and")),
        ("selection", gw.Sam()),
        ("start", gw.gate_set("and")),
        ("budget", gw.Point(3)),
    ],
)
def test_values_of_another_option_are_refused_in_one_line(name, value):
    with pytest.raises(InputError, match=f"^{name} = .*: must be ") as error:
        campaign(**{"target": "and:4"} | {name: value})
    assert "\n" not in str(error.value)


@dataclass(frozen=True)
class Mine:
    """A mutation that no text stands for, so that no store can name it."""

    name: str = "mine"
    strength: float = 1.0

    def fewest_picks(self, genes):
        return 1.0

    def arrays(self):
        return gw.Sam().arrays()


def test_a_mutation_that_no_store_can_name_is_refused():
    with pytest.raises(InputError, match="mutation: unknown mutation") as error:
        plan(campaign(target="and:4", mutation=Mine()))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seed = = 1", ["f.toml", "line 1"]),
        ('sed = 1\n[grid]\ntarget = "and:2"', ["f.toml:1:", "sed", "did you mean seed", "allowed"]),
        ('[grid]\ntarget = "and:2"\nnode = ["n"]', ["f.toml:3:", "node", "did you mean nodes", "selection"]),
        ('offspring = 2\n[grid]\ntarget = "and:2"', ["f.toml:1:", "offspring", "lambda"]),
        ('seed = "x"\n[grid]\ntarget = "and:2"', ["f.toml:1:", "seed", "whole number, at least 0"]),
        ('replications = 0\n[grid]\ntarget = "and:2"', ["f.toml:1:", "replications", "at least 1"]),
        ('replications = 99999999999\n[grid]\ntarget = "and:2"', ["f.toml:1:", "at most 10,000,000"]),
        ('seed = 99999999999999999999\n[grid]\ntarget = "and:2"', ["f.toml:1:", "seed", "at most"]),
        ('[grid]\ntarget = "and"\nn = ["2..99999999999"]', ["f.toml:3:", "at most 10,000 values"]),
        ("[grid]\ntarget = []", ["f.toml:2:", "target", "empty list"]),
        ("[grid]\ntarget = 4", ["f.toml:2:", "target", "text in quotes"]),
        ('[grid]\ntarget = "and:2"\nnodes = [1.5]', ["f.toml:3:", "nodes", '"2n"']),
        ('[grid]\ntarget = "and"\nn = ["4..2"]', ["f.toml:3:", "empty"]),
        ('[grid]\ntarget = "and"\nn = ["x"]', ["f.toml:3:", "2..15"]),
        ('selection = ["strict"]\n[grid]\ntarget = "and:2"', ["f.toml:1:", "under [grid]"]),
        ('[law]\nties = ["coin"]\n[grid]\ntarget = "and:2"', ["f.toml:2:", "under [grid.law]"]),
        ('traces = "yes"\n[grid]\ntarget = "and:2"', ["f.toml:1:", "true or false"]),
        ("seed = 1", ["f.toml", "no target"]),
        ("grid = 1", ["f.toml:1:", "[grid]"]),
        ("law = 1", ["f.toml:1:", "[law]"]),
        ('name = 1\n[grid]\ntarget = "and:2"', ["f.toml:1:", "name"]),
        ('[grid]\ntarget = ["and:2", ["or:2"]]', ["f.toml:2:", "single values"]),
    ],
)  # fmt: skip
def test_errors_name_the_place_and_what_is_allowed(text, words):
    with pytest.raises(InputError) as error:
        parse(text, "f.toml")
    assert "\n" not in str(error.value)
    for word in words:
        assert word in str(error.value)


def test_a_missing_or_binary_file_is_said(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        read(tmp_path / "binary.toml")


def test_unknown_options_from_python():
    with pytest.raises(InputError, match="unknown setting 'node'; did you mean nodes"):
        grid(target="and:2", node=3)
    with pytest.raises(InputError, match="needs a target"):
        grid(nodes=3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = " + "[" * 500 + "]" * 500, "nested too deeply"),
        ("x = " + "{a = " * 600 + "1" + "}" * 600, "nested too deeply"),
        ("a." * 100_000 + "b = 1", "a key of more than 32 parts"),
        ("[" + '"a" . ' * 100_000 + "b]", "a key of more than 32 parts"),
        ("seed = " + "9" * 1_000_000, "a value cannot be read: Exceeds the limit"),
        ("seed = 1979-02-31", "a value cannot be read|not valid TOML"),
        ("seed = 1979-05-27", r"c.toml:1: seed = datetime.date\(1979, 5, 27\): must be a whole number"),
        ("budget = nan\n[grid]\ntarget = 'and:3'", "c.toml:1: budget = nan: must be a whole number"),
        ("[grid]\ntarget = 'and:3'\nn = '1.." + "9" * 5000 + "'", "a range has at most 10,000 values"),
    ],
)
def test_hostile_texts_are_refused_in_one_short_line(text, words):
    with pytest.raises(InputError, match=words) as error:
        parse(text, "c.toml")
    assert len(str(error.value)) < 400


def test_a_file_without_an_end_is_not_read_to_it():
    with pytest.raises(InputError, match="/dev/zero: is a pipe or a device; copy what it holds into a file"):
        read("/dev/zero")


def test_numbers_from_python_that_python_will_not_write():
    for options in ({"seed": 10**5000}, {"nodes": 10**5000}, {"budget": 10**5000}, {"nodes": -(10**5000)}):
        with pytest.raises(InputError, match=r"2\^16609 or more"):
            campaign(target="and:3", **options)


def test_tables_of_a_study_are_left_to_it():
    text = (
        '[study]\ntitle = "T"\n[quick]\nbudget = 3\n[published]\nsource = "S"\n[grid]\ntarget = ["and:4"]\n'
    )
    assert parse(text).grids == parse('[grid]\ntarget = ["and:4"]\n').grids


TEXT = '''# a campaign
seed = 7  # [not a table]
note = """
nodes = 1
"""

[grid]
target = [
    "and:4", # = here
    "a]b",
]
"selection" = ["strict"]
nodes = ["n"]

[grid.law]
ties = ["coin"]
'''

TABLES = """
[[grid]]
target = "and:2"

[[grid]]
target = "or:2"
law = { ties = "coin" }
[grid.law2]
x = 1
"""


def test_keys_have_their_lines():
    assert line_of(TEXT, ("seed",)) == 2
    assert line_of(TEXT, ("grid", "target")) == 8
    assert line_of(TEXT, ("grid", 0, "nodes")) == 13
    assert line_of(TEXT, ("grid", "selection")) == 12
    assert line_of(TEXT, ("grid", 0, "law", "ties")) == 16


def test_a_key_in_a_string_is_not_a_key():
    assert line_of(TEXT, ("nodes",)) is None


def test_an_unknown_key_falls_back_to_its_table():
    assert line_of(TEXT, ("grid", "missing")) == 7
    assert line_of(TEXT, ("elsewhere",)) is None


def test_repeated_tables_are_counted():
    assert line_of(TABLES, ("grid", 0, "target")) == 3
    assert line_of(TABLES, ("grid", 1, "target")) == 6
    assert line_of(TABLES, ("grid", 1, "law", "ties")) == 7
    assert line_of(TABLES, ("grid", 1, "law2", "x")) == 9


def test_options_of_the_law_in_python():
    table = {"ties": ("accept", "coin"), "starts": (2,)}
    assert grid(target="and:2", options={"ties": ["accept", "coin"], "starts": 2}).law == table
    assert grid(target="and:2", ties=["accept", "coin"], starts=2).law == table
    for make in (grid, campaign):
        with pytest.warns(DeprecationWarning, match="law is now called options") as told:
            make(target="and:2", law={"ties": "coin"})
        assert told[0].filename == __file__  # so that Python shows it to whoever wrote the call
