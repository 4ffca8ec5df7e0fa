"""Operators that users write: compiled as interpreted, refused in one line, never two versions mixed."""

import json
import linecache
import math
import pickle
import random as python_random
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import edges
import numpy as np
import pytest
from documents import PAGES, blocks_of
from processes import finished
from scipy import stats

import gatewalk as gw
from gatewalk.campaign import Results, campaign
from gatewalk.campaign import run as run_campaign
from gatewalk.cgp import walk
from gatewalk.cgp.operators import OwnMutation
from gatewalk.errors import InputError
from gatewalk.foreign import defined
from gatewalk.native.seeding import entropy_of
from gatewalk.reference.cgp import Step, generation, random_program
from gatewalk.reference.operators import Program, Random, StreamDraws
from gatewalk.reference.stream import Stream
from gatewalk.search.options import law_text
from gatewalk.search.twins import rules_without_rows
from gatewalk.theory.statements import statements

RATE, NODES, ZERO = 0.1, 60, 0
EDGES = Path(edges.__file__).read_text()


@gw.mutation("sam-written")
def sam_written(program, random):
    while True:
        gene = random.gene(program)
        program.change(gene, random)
        if program.is_active(gene):
            return


@gw.mutation("point-written")
def point_written(program: "Program", random: "Random") -> None:
    for _ in range(3):
        program.change(random.gene(program), random)


def some_output(program, random):
    """A helper, which becomes part of the kernel, too."""
    return program.output(random.integer(program.outputs))


@gw.mutation("everything")
def everything(program, random):
    """Uses all of the vocabulary; decimals and whole numbers, loops, tuples and helpers."""
    gene = random.connection(program)
    if not program.is_connection(gene) or program.is_function(gene) or program.is_output(gene):
        program.set(program.genes, 0)  # out of range
    program.set(gene, program.value(gene))
    program.change(random.gene(program), random)
    program.change(gene, random)
    node, other = random.integer(program.nodes), some_output(program, random)
    if program.node(program.function(node)) != node or program.node(other) != program.nodes:
        program.set(program.genes, 0)
    program.change(program.function(node), random)
    program.set(other, program.inputs + random.integer(program.nodes))
    for number in range(program.arity):
        at = program.connection(node, number)
        if random.chance(0.3) and program.values(at) > 1:
            program.change(at, random)
        if program.value(at) != program.parent_value(at) and random.chance(math.sqrt(0.25)):
            program.set(at, program.parent_value(at))
    gene = random.gap(RATE)
    while gene < program.genes:
        if program.is_active(gene):
            program.change(gene, random)
        gene += 1 + random.gap(RATE)


@gw.selection("biased-ties")
def biased_ties(parent, offspring, random):
    return offspring < parent or (offspring == parent and random.chance(0.3))


@gw.selection("like-ties")
def like_ties(parent, offspring, random):
    return offspring < parent or (offspring == parent and random.chance(0.25))


@gw.mutation("mistaken")
def mistaken(program, random):
    """Is wrong on large programs only, which the trial before registration does not have."""
    gene = random.gene(program)
    program.change(gene, random)
    if program.nodes == NODES:
        while True:
            random.integer(3)
    if program.nodes == NODES + 1:
        program.change(program.genes, random)
    if program.nodes == NODES + 2:
        program.set(gene, -1)
    if program.nodes == NODES + 3:
        random.chance(program.nodes)
    if program.nodes == NODES + 4:
        gene = 1 // ZERO


MISTAKES = {
    NODES: "too many draws for one offspring",
    NODES + 1: "there is no gene of this number",
    NODES + 2: "the gene cannot have this value",
    NODES + 3: "a probability must be from 0 to 1",
    NODES + 4: "division|modulo",
}


def runs_of(search, count=5):
    """The genes, iterations and steps of runs that begin from the same random stream whatever the search."""
    begun = walk.start(search, None, entropy=entropy_of(1), runs=range(count))
    walk.advance(begun, 10**9)
    return begun.cell.programs.tolist(), begun.cell.offspring.tolist(), begun.cell.steps.tolist()


@pytest.mark.parametrize("words", [{"target": "and:6"}, {"target": "mul:2", "nodes": 20, "gates": "and,xor"}])
@pytest.mark.parametrize(("own", "built_in"), [(sam_written, "sam"), (point_written, "point:3")])
def test_what_users_write_makes_the_runs_of_the_built_in(own, built_in, words):
    search = gw.search_for(**words, mutation=own, budget=2000)
    assert runs_of(search) == runs_of(
        replace(search, mutation=gw.search_for("and:2", mutation=built_in).mutation)
    )


@pytest.mark.parametrize("offspring", [1, 4])
def test_a_selection_makes_the_runs_of_the_built_in(offspring):
    search = gw.search_for("and:5", selection="ties:0.25", offspring=offspring, budget=2000)
    assert runs_of(search) == runs_of(replace(search, selection=like_ties))


@pytest.mark.parametrize("operator", [everything, biased_ties], ids=str)
def test_compiled_and_interpreted_are_the_same(operator):
    told = gw.check_operator(operator, iterations=60, runs=2)
    assert told.startswith(f"{operator}: the same compiled and interpreted, for")


@pytest.mark.parametrize("offspring", [1, 4])
@pytest.mark.parametrize("profile", ["paper", "tinyverse"])
def test_ties_with_a_probability_are_those_of_the_twin(offspring, profile):
    words = {"selection": "ties:0.25", "offspring": offspring, "profile": profile, "budget": 300}
    ours = gw.run_many("and:5", seed=3, runs=5, **words)
    theirs = gw.run_many("and:5", seed=3, runs=5, evaluation="reference", **words)
    assert ours.iterations.tolist() == theirs.iterations.tolist()
    assert [p.tolist() for p in ours.programs] == [p.tolist() for p in theirs.programs]


@pytest.mark.parametrize(("selection", "ties"), [("ties:0.5", "accept"), ("nonstrict", "coin")])
@pytest.mark.parametrize("offspring", [1, 3])
def test_ties_of_a_half_and_coins_among_several_offspring(selection, ties, offspring):
    """How often the parent stays where all offspring are as fit as it is; a false alarm in 10^7.

    With one offspring both have the same law; coins keep the parent with probability 1 / (offspring + 1).
    """
    search = gw.search_for("and:5", selection=selection, options={"ties": ties}, offspring=offspring)
    rules, stream = rules_without_rows(search), Stream([1, 2, 3, 4])
    parent = random_program(rules, stream)
    stays, turns = 0, 1500
    for _ in range(turns):
        step = generation(rules, Step(parent, 5, 0, 0), stream, 10**9, rank=lambda rules, x: 5)
        stays += step.chosen is None
    chance = 1 / (offspring + 1) if ties == "coin" else 0.5
    assert stats.binomtest(stays, turns, chance).pvalue > 1e-7


@pytest.mark.parametrize(
    ("nodes", "message", "evaluation"),
    [  # in plain Python a million draws would take too long
        (nodes, message, evaluation)
        for nodes, message in MISTAKES.items()
        for evaluation in ("auto", "reference")
        if (nodes, evaluation) != (NODES, "reference")
    ],
)
def test_mistakes_end_a_run_with_one_line(nodes, message, evaluation):
    with pytest.raises(InputError, match=message) as caught:
        gw.evolve("and:8", nodes=nodes, mutation=mistaken, evaluation=evaluation, seed=1)
    assert str(caught.value).startswith("mutation mistaken: ")
    assert "\n" not in str(caught.value)


def wrong_attribute(program, random):
    program.chnge(random.gene(program), random)


def wrong_list(program, random):
    for gene in [random.gene(program)]:
        program.change(gene, random)


def wrong_randomness(program, random):
    program.change(int(python_random.random() * program.genes), random)


def wrong_array(program, random):
    program.change(np.random.randint(3), random)  # noqa: NPY002


def wrong_gene(program, random):
    program.change(program.genes, random)


def wrong_type(program, random):
    program.change(0.5, random)


def wrong_name(program, random):
    program.change(somewhere, random)  # noqa: F821


def wrong_loop(program, random):
    while True:
        random.chance(0.5)


def wrong_silence(program, random):
    while True:
        pass


def wrong_builtin(program, random):
    print(program.genes)


def wrong_text(program, random):
    program.change("gene", random)


def wrong_default(program, random, genes=3):
    program.change(genes, random)


def wrong_parameters(program):
    program.change(0, program)


def wrong_recursion(program, random):
    wrong_recursion(program, random)


REFUSED = {
    wrong_attribute: "there is no program.chnge",
    wrong_list: "a list cannot be compiled",
    wrong_randomness: "random numbers come from `random` alone",
    wrong_array: "only arguments and math have attributes",
    wrong_gene: "there is no gene of this number",
    wrong_type: "must be a whole number, not 0.5",
    wrong_name: "somewhere is not defined here",
    wrong_loop: "too many draws for one offspring",
    wrong_silence: "it does not end",
    wrong_builtin: "print cannot be compiled",
    wrong_text: "'gene' is not a number",
    wrong_default: "without defaults",
    wrong_parameters: "it must take program, random",
    wrong_recursion: "functions that call themselves cannot be compiled",
}


@pytest.mark.parametrize(
    ("function", "message"), REFUSED.items(), ids=lambda value: getattr(value, "__name__", "")
)
def test_what_cannot_be_compiled_is_refused_with_its_line(function, message):
    with pytest.raises(InputError, match=message) as caught:
        gw.mutation("wrong")(function)
    first = function.__code__.co_firstlineno
    lines = range(first, first + 5)
    assert any(f":{line}:" in str(caught.value) or f"line {line}:" in str(caught.value) for line in lines)
    assert "\n" not in str(caught.value)


def accepts_worse(parent, offspring, random):
    return offspring >= parent


def accepts_by_size(parent, offspring, random):
    return offspring < parent or parent > 5


def accepts_by_chance_of_rank(parent, offspring, random):
    return offspring < parent or random.chance(1 / (1 + parent))


def accepts_maybe(parent, offspring, random):  # noqa: RET503
    if offspring < parent:
        return True


@pytest.mark.parametrize(
    ("function", "message"),
    {
        accepts_worse: "it accepts a worse offspring",
        accepts_by_size: "may only be compared with each other",
        accepts_by_chance_of_rank: "may only be compared with each other",
        accepts_maybe: "must return True or False",
    }.items(),
)
def test_selections_keep_the_best_and_compare_only(function, message):
    with pytest.raises(InputError, match=message):
        gw.selection("wrong")(function)


def test_a_function_without_source_is_refused():
    names = {}
    exec("def f(program, random):\n    pass", names)
    for function in (names["f"], lambda program, random: None, len):
        with pytest.raises(InputError, match=r"source|`def`"):
            gw.mutation("sourceless")(function)


@pytest.mark.parametrize("name", ["sam", "point", "two words", "a:b", "", 3])
def test_names_are_checked(name):
    with pytest.raises(InputError, match="mutation"):
        gw.mutation(name)


def test_only_operators_of_ones_own_are_checked():
    for wrong in ("sam", len):
        with pytest.raises(InputError, match="check_operator takes a function under"):
            gw.check_operator(wrong)


def test_where_operators_of_ones_own_do_not_apply():
    with pytest.raises(InputError, match="for trees use strict or nonstrict"):
        gw.search_for("and:4", algorithm="tgp-multi", selection=biased_ties)
    with pytest.raises(InputError, match="trees have mutations of their own"):
        gw.search_for("and:4", algorithm="tgp-multi", mutation=sam_written)
    for words in ({"mutation": sam_written, "selection": "strict"}, {"selection": "ties:0.3"}):
        with pytest.raises(InputError, match="option waiting=drawn is for"):
            gw.search_for("and:4", options={"waiting": "drawn"}, **words)
    for words in ({"mutation": sam_written}, {"selection": biased_ties}):
        with pytest.raises(InputError, match="only exact times are known"):
            statements(gw.search_for("and:3", **words))
    with pytest.raises(InputError, match="the theory does not cover selection"):
        statements(gw.search_for("and:3", selection="ties:0.3"))


@pytest.mark.parametrize(
    "text", ["ties", "ties:0", "ties:1", "ties:1.5", "ties:nan", "ties:x", "ties:1e-999"]
)
def test_a_probability_of_ties_lies_between_0_and_1(text):
    with pytest.raises(InputError, match="0 < P < 1"):
        gw.search_for("and:4", selection=text)


def digest_of(text):
    """The digest of the operator `op` in a text, as in a cell of a notebook."""
    linecache.cache["<cell>"] = (len(text), None, text.splitlines(keepends=True), "<cell>")
    names = {"gw": gw, "__name__": "__main__"}
    exec(compile(text, "<cell>", "exec"), names)
    return names["op"].digest


def test_the_digest_is_of_what_is_computed():
    plain = (
        "C = 1\ndef helper(a):\n    return a + C\n"
        "@gw.mutation('op')\ndef op(program, random):\n    program.change(helper(0), random)\n"
    )
    same = plain.replace("(helper(0)", "( helper(0)").replace("random):", "random):\n    'Doc.'  # words")
    assert digest_of(plain) == digest_of(same) == digest_of("\n\n" + plain)
    changes = (("C = 1", "C = 2"), ("a + C", "C + a"), ("helper(0)", "helper(1)"))
    assert len({digest_of(plain.replace(*change)) for change in changes} | {digest_of(plain)}) == 4


def test_what_a_function_uses_is_frozen_when_it_is_registered(monkeypatch):
    search = gw.search_for("and:5", mutation=everything, budget=50)
    before = runs_of(search, 2)
    monkeypatch.setattr(sys.modules[__name__], "RATE", 0.9)
    assert runs_of(search, 2) == before
    twins = gw.run_many(search, runs=2), gw.run_many(replace(search, evaluation="reference"), runs=2)
    assert twins[0].elementary_steps.tolist() == twins[1].elementary_steps.tolist()


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(EDGES)
    return tmp_path


def test_another_process_loads_the_compiled_loop_and_makes_the_same_run(here):
    program = (
        "import gatewalk as gw; from gatewalk.native.jit import watch_compilations; count = [0]\n"
        "watch_compilations(lambda: None, lambda: count.append(1))\n"
        "run = gw.evolve('and:6', mutation='mine.py:sam_edges', selection='mine.py:biased_ties', seed=1)\n"
        "print(run.iterations, run.elementary_steps, len(count) - 1)"
    )
    first, second = (finished([sys.executable, "-c", program]).stdout.split() for _ in range(2))
    assert first[:2] == second[:2]
    assert second[2] == "0"


def test_a_store_keeps_the_text_and_one_version_of_a_name(here):
    plan = campaign(target="and:3", mutation=["sam", "mine.py:sam_edges"], replications=3, seed=7)
    run_campaign(plan, "own.sqlite", jobs=1).close()
    with Results.open("own.sqlite") as results:
        (stored,) = results.operators()
        assert (stored.kind, stored.name) == ("mutation", "sam-edges")
        assert stored.source.startswith('@gw.mutation("sam-edges")\ndef sam_edges(program, random):')
        assert results.columns()["mutation"] == ["sam"] * 3 + ["sam-edges"] * 3
        assert [cell.search.mutation.name for cell in results.cells()] == ["sam", "sam-edges"]
        assert len(list(results.runs())) == 6
    again = run_campaign(plan, "own.sqlite", jobs=1)  # nothing is left to do
    assert len(again) == 6
    again.close()
    (here / "edited.py").write_text(EDGES.replace("continue", "return"))
    edited = campaign(target="and:3", mutation="edited.py:sam_edges", replications=3, seed=7)
    with pytest.raises(InputError, match="another version of the mutation sam-edges"):
        run_campaign(edited, "own.sqlite", jobs=1)
    with Results.open("own.sqlite") as results:
        assert len(results) == 6


def test_a_store_without_operators_stays_one_of_version_3(here):
    run_campaign(campaign(target="and:3", replications=2), "plain.sqlite", jobs=1).close()
    with closing(sqlite3.connect("plain.sqlite")) as store:
        assert store.execute("PRAGMA user_version").fetchone() == (3,)
    with Results.open("plain.sqlite") as results:
        assert results.operators() == []


def test_a_store_from_anyone_imports_nothing(here):
    plan = campaign(target="and:3", mutation="mine.py:sam_edges", replications=2)
    run_campaign(plan, "own.sqlite", jobs=1).close()
    (here / "evil.py").write_text("open('seen', 'w')")
    with closing(sqlite3.connect("own.sqlite")) as store, store:
        (text,) = store.execute("SELECT options FROM cell").fetchone()
        words = {**json.loads(text), "mutation": "evil.py:x"}
        store.execute("UPDATE cell SET options = ?", (json.dumps(words),))
    with Results.open("own.sqlite") as results, pytest.raises(InputError, match="which no campaign stores"):
        _ = results.cells()[0].search
    assert not (here / "seen").exists()


def test_a_saved_search_goes_on_with_the_same_version_only(here):
    search = gw.search_for("and:5", mutation="mine.py:sam_edges", evaluation="reference")
    session = gw.begin(search, seed=1, run=0)
    gw.advance(session, 5)
    assert gw.restore(search, gw.save(session)).iterations == 5
    (here / "edited.py").write_text(EDGES.replace("continue", "return"))
    edited = replace(search, mutation=defined("edited.py", "sam_edges"))
    assert law_text(edited) != law_text(search)
    with pytest.raises(InputError, match="the mutation sam-edges is another function than when"):
        gw.restore(edited, gw.save(session))
    with pytest.raises(InputError, match="the saved search has other settings"):
        gw.restore(replace(search, mutation=sam_written), gw.save(session))


def test_operators_travel_by_name_and_code_does_not(here):
    search = gw.search_for("and:5", mutation="mine.py:sam_edges", selection="mine.py:biased_ties")
    sent = pickle.dumps(search)
    assert b"while True" not in sent
    assert pickle.loads(sent) == search
    unknown = OwnMutation("unknown", "0" * 16)
    with pytest.raises(InputError, match="unknown is not defined here"):
        gw.evolve("and:3", mutation=pickle.loads(pickle.dumps(unknown)))


def test_texts_of_operators_are_checked(here):
    for text, message in {
        "mine.py:nothing": "defines no 'nothing'",
        "mine.py:gw": "is a module",
        "mine.py:biased_ties": "is a selection",
        "none.py:x": "there is no such file",
        "no_such_module:x": "cannot be imported",
        "sams": "unknown mutation",
    }.items():
        with pytest.raises(InputError, match=message):
            gw.search_for("and:4", mutation=text)
    with pytest.raises(InputError, match="unknown selection 'lax'; use nonstrict, strict, ties:P, FILE:NAME"):
        gw.search_for("and:4", selection="lax")


PUBLISHED = next(
    block.text for block in blocks_of(PAGES["docs/reference/operators.md"]) if block.file == "published.py"
)
NAMES = ("single", "accumulate", "skip", "one_percent", "near_outputs", "active_2")


@pytest.mark.parametrize("name", NAMES)
def test_published_operators_of_the_page_equal_their_twins(name, here):
    (here / "published.py").write_text(PUBLISHED)
    operator = defined("published.py", name)
    assert len(operator.frozen.source.splitlines()) <= 16
    gw.check_operator(operator, "mul:2", nodes=20, iterations=60)
    if name == "single":
        search = gw.search_for("mul:2", nodes=20, mutation=operator, budget=500)
        assert runs_of(search) == runs_of(replace(search, mutation=gw.Sam()))


class Counted(Random):
    """Counts how often a mutation begins to walk through the genes by gaps."""

    def __init__(self, draws, genes):
        super().__init__(draws, genes)
        self.at, self.turns = genes, 0

    def gap(self, probability):
        gap = super().gap(probability)
        if self.at >= self._genes:
            self.at, self.turns = -1, self.turns + 1
        self.at += 1 + gap
        return gap


def test_skip_begins_again_as_often_as_goldman_and_punch_say(here):
    """Rate mutation leaves all active genes with probability (1-p)^g, so its turns are geometric."""
    (here / "published.py").write_text(PUBLISHED)
    skip = defined("published.py", "skip").frozen.function
    rules, stream = rules_without_rows(gw.search_for("mul:2", nodes=7)), Stream([1, 2, 3, 4])
    parent = random_program(rules, stream)
    stays = (1 - 0.02) ** sum(Program(rules, parent).is_active(gene) for gene in range(rules.genes))
    turns = []
    for _ in range(3000):
        random = Counted(StreamDraws(stream), rules.genes)
        skip(Program(rules, parent), random)
        turns.append(random.turns)
    error = math.sqrt(stays / len(turns)) / (1 - stays)
    assert abs(np.mean(turns) - 1 / (1 - stays)) < 5.4 * error  # a false alarm in 10^7
