"""Families of targets of the user's own: from a notebook and from a file, in searches and campaigns."""

import json
import sqlite3
import sys

import numpy as np
import pytest

import gatewalk as gw
from gatewalk.boolean.families import OWN_FAMILIES
from gatewalk.campaign import Results, campaign, plan, read, run
from gatewalk.circuit.construction import circuit_named
from gatewalk.circuit.own_targets import lacks_size, target
from gatewalk.errors import InputError

MODULE = """
import gatewalk as gw

@gw.target_family("pairs")
def pairs(k):
    return " | ".join(f"x{2 * i - 1} & x{2 * i}" for i in range(1, k + 1))

@gw.target_family("broken")
def broken(k):
    return {1: None, 2: "and", 3: 3.5}[k]

def majority(a, b, c):
    return a + b + c > 1
"""
PAIRS = "table:4:0xf888"


@pytest.fixture(autouse=True)
def _no_families_left():
    before = dict(OWN_FAMILIES)
    yield
    OWN_FAMILIES.clear()
    OWN_FAMILIES.update(before)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "mine.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


MEMBERS = [
    lambda k: gw.target(lambda *x: any(map(min, x[::2], x[1::2])), inputs=2 * k),
    lambda k: np.array([(row & 3 == 3) | (row >> 2 == 3) for row in range(1 << 2 * k)]),
    lambda k: f"table:{2 * k}:0xf888",
    lambda k: "y = x1 & x2 | x3 & x4",
    lambda k: gw.target("x1 & x2 | x3 & x4", name="another name"),
    lambda k: gw.evolve("x1 & x2 | x3 & x4", gates="and,or", nodes=30, seed=1).circuit,
]


@pytest.mark.parametrize("members", MEMBERS)
def test_a_member_is_whatever_is_a_target(members):
    family = gw.target_family("pairs")(members)
    made = gw.target("pairs:2")
    assert (made.content, made.label) == (PAIRS, "pairs:2")
    assert target(made.name) == made
    assert gw.search_for("pairs:2", nodes="2n").target == made
    assert str(family) == "pairs"


def test_a_family_can_still_be_called():
    @gw.target_family("ends")
    def ends(k):
        return f"x1 & x{k}"

    @gw.target_family("inner")
    def inner(k):
        return ends(k - 1)

    assert ends(5) == "x1 & x5"
    assert gw.target("inner:5").content == gw.target("ends:4").content


def test_a_large_member_is_a_netlist_and_a_built_in_one_stays_what_it_is():
    gw.target_family("all")(lambda k: " & ".join(f"x{i}" for i in range(1, k + 1)))
    wide = gw.target("all:40")
    assert (wide.family, wide.inputs, wide.label) == ("netlist", 40, "all:40")
    assert target(wide.name) == wide
    gw.target_family("half")(lambda k: f"and:{k // 2}")
    assert gw.target("half:200").name == "and:100"


def test_a_name_means_the_newest_function():
    for sign in "&|":
        gw.target_family("mine")(lambda k, sign=sign: f"x1 {sign} x2")
        assert gw.target("mine:1").content == target(f"x1 {sign} x2").content


@pytest.mark.parametrize("name", ["and", "MUL", "onehot_enc"])
def test_a_built_in_family_is_not_replaced(name):
    with pytest.raises(
        InputError, match=f"there is a built-in family {name.lower()}; give yours another name"
    ):
        gw.target_family(name)


@pytest.mark.parametrize(
    "name", ["", "a b", "x1", "a-x1", "x2-b", "table", "Netlist", "a:b", "a.py", "é", 5, len]
)
def test_a_name_that_would_be_taken_for_something_else_is_refused(name):
    with pytest.raises(InputError, match="a family cannot be called"):
        gw.target_family(name)


def test_what_is_no_function_is_no_family():
    with pytest.raises(InputError, match="the family f must be a function of K, not 'and:4'"):
        gw.target_family("f")("and:4")


def test_from_a_file(folder):
    made = gw.target("mine.py:pairs:2")
    assert (made.content, made.label) == (PAIRS, "pairs:2")
    assert gw.target(f"{folder}/mine.py:pairs:2") == made == gw.target("pairs:2")  # imported by now
    assert gw.target("mine.py:majority").name == "majority@table:3:0xe8:a,b,c:y"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mine.py:pairs", "target 'mine.py:pairs': it has no size; write it as in mine.py:pairs:5"),
        ("mine.py:pairs:x", "'x' is not a size; write it as in mine.py:pairs:5"),
        ("mine.py:pairs:0", "the size must be from 1 to 1000000"),
        ("mine.py:pairs:9999999999", "the size must be from 1 to 1000000"),
        ("mine.py:pears:3", "mine.py defines no 'pears'; did you mean pairs?"),
        ("mine.py:majority:3", "majority is not a family of targets; write @gatewalk.target_family"),
        ("mine.py:gw", "target 'mine.py:gw': a target is a name such as and:8"),
        ("none.py:pairs:3", "'none.py': there is no such file in "),
        ("mine.py", "mine.py: name what it defines, as in mine.py:f, or mine.py:f:5 for a size"),
        ("mine.py:broken:1", "target broken:1: broken(1) of mine.py makes no target: a target is a name"),
        ("mine.py:broken:2", "broken(2) of mine.py makes no target: target 'and' has no size"),
        ("mine.py:broken:4", "broken(4) of mine.py makes no target: line 10: KeyError: 4"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(folder, text, words):
    with pytest.raises(InputError) as error:
        gw.target(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_family_alone_is_not_a_target(folder):
    family = gw.target_family("f")(lambda k: "x1")
    with pytest.raises(InputError, match="f is a family of targets; give a size, as in f:5"):
        gw.target(family)


@pytest.mark.parametrize(
    ("text", "is_family"),
    [("and", True), ("mine.py:f", True), ("a/mine.py:f", True), ("mine.py:f:5", False), ("x1 & x2", False)],
)
def test_sizes_are_for_families_without_one(text, is_family):
    assert lacks_size(text) == is_family


def test_a_campaign_of_ones_own_targets():
    family = gw.target_family("pairs")(MEMBERS[0])
    circuit = circuit_named("x1 | x2")
    targets = [family, "half", gw.target("x1 ^ x2"), "x1 | x2", lambda a, b: a & b, circuit]
    gw.target_family("half")(lambda k: f"and:{k}")
    cells = plan(campaign(target=targets, n=["2..3"], nodes="2n"))
    found = [(cell.search.target.label, cell.search.nodes) for cell in cells]
    fixed = [("x1 ^ x2", 4), ("x1 | x2", 4), ("table:2:0x8:a,b:y", 4)]  # the circuit computes x1 | x2, too
    assert found == [("pairs:2", 8), ("pairs:3", 12), ("and:2", 4), ("and:3", 6), *fixed]


def test_a_campaign_of_a_single_function():
    (cell,) = run(
        campaign(target=gw.target(lambda a, b: a & b), gates="and", nodes=4, replications=3)
    ).cells()
    assert (cell.finished, cell.search.target.content) == (3, "table:2:0x8")


def test_a_store_needs_no_code_and_holds_no_path(folder, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder / "mine.py").rename(elsewhere / "mine.py")
    spec = elsewhere / "pairs.toml"
    spec.write_text(
        'replications = 2\n[grid]\ntarget = "mine.py:pairs"\nn = ["1..2", 9]\ntraining = "sample:9"\n'
    )
    store = folder / "pairs.sqlite"
    run(read("elsewhere/pairs.toml"), store=store)  # found beside the campaign's file
    (elsewhere / "mine.py").unlink()
    OWN_FAMILIES.clear()
    with sqlite3.connect(store) as connection:
        rows = connection.execute("SELECT target, options FROM cell").fetchall()
    connection.close()
    assert "mine.py" not in str(rows)
    assert [json.loads(options)["target"] for _, options in rows] == [name for name, _ in rows]
    with Results.open(store) as results:
        cells = list(results.cells())
    assert [cell.search.target.label for cell in cells] == ["pairs:1", "pairs:2", "pairs:9"]
    assert [cell.search.target.family for cell in cells] == ["table", "table", "netlist"]


def test_a_mistake_in_a_campaign_is_told_with_its_line(folder):
    (folder / "pairs.toml").write_text('[grid]\ntarget = "mine.py:broken"\nn = [1]\n')
    with pytest.raises(InputError, match=r"^pairs\.toml:2: target: target broken:1: broken\(1\) of mine\.py"):
        plan(read("pairs.toml"))
