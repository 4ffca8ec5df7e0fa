"""Which statements apply to which searches and why not, their assumptions, and what the theory was taught."""

from __future__ import annotations

import inspect
from dataclasses import FrozenInstanceError, dataclass, fields, replace
from fractions import Fraction
from pathlib import Path

import pytest

from gatewalk.cgp.cgp_search import CgpLaw, CgpSearch
from gatewalk.errors import InputError
from gatewalk.search.options import EVALUATIONS, search_for
from gatewalk.search.reading import SELECTIONS
from gatewalk.tgp.tgp_search import TgpSearch
from gatewalk.theory import assumptions, conjunctions, exclusives
from gatewalk.theory.assumptions import (
    CONJUNCTION,
    TAUGHT,
    Assumption,
    check_taught,
    inputs_from,
    picked_ends,
    require,
    statement,
    tie_acceptance,
    unmet,
    why_not,
)
from gatewalk.theory.chain.exact import exact, exact_result, solve_chain
from gatewalk.theory.chain.sam.fractions import expected_fraction
from gatewalk.theory.conjunctions import GAP
from gatewalk.theory.observe.observation import observe_runs
from gatewalk.theory.statements import STATEMENTS, TAILS, applied, statements, tail_statements

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "bounds.md"
ON_COMPLETE_SETS = {
    "lemma2_mismatches", "theorem3", "theorem3_closed", "theorem3_tail_delta1", "theorem6", "theorem6_levels",
    "theorem4_leaving_probability", "theorem4_expected", "lemma8_drift", "theorem9", "tgp_single_tinyverse",
    "certified_levels", "enclosure_lower", "enclosure_upper", "conjunction_upper", "conjunction_lower",
    "penultimate_upper", "penultimate_lower", "many_nodes_order",
    "xor_lower", "xor_lower_active", "xor_lower_log2", "xor_stuck_lower",
}  # fmt: skip


def values(name, **options):
    return {item.key: item.value for item in statements(search_for(name, **options))}


def reasons(name, **options):
    return {item.key: item.why for item in statements(search_for(name, **options))}


def test_conjunction_nonstrict():
    bounds = values("and:8", nodes=16)
    assert bounds["theorem3"] == conjunctions.theorem3(8, 16)
    assert bounds["theorem3_tail_delta1"] == conjunctions.theorem3_tail(8, 16, 1)
    assert bounds["theorem6"] == conjunctions.theorem6(8, 16)
    assert bounds["lemma1_bits"] == conjunctions.lemma1_bits(8, 16)
    assert bounds["lemma2_mismatches"] == [127, 63, 31, 15, 7, 3, 1, 0]
    assert bounds["theorem4_expected"] is None
    assert bounds["theorem9"] is None


def test_every_missing_value_has_a_reason_and_no_other():
    for name, options in [
        ("and:8", {}),
        ("and:3", {"nodes": 2, "selection": "strict"}),
        ("and:4", {"nodes": 2}),
        ("and:1", {}),
        ("and:100", {}),
        ("or:5", {}),
        ("and:5", {"gates": "and,or"}),
        ("and:5", {"profile": "tinyverse"}),
        ("xor:200", {"nodes": "n"}),
        ("xor:5", {"profile": "tinyverse"}),
        ("add:2", {}),
    ]:
        for item in statements(search_for(name, **options)):
            assert (item.value is None) == bool(item.why), (name, item)


def test_strict_has_no_theorem6_and_the_penultimate_start_needs_n_minus_1():
    bounds = values("and:6", nodes="n-1", selection="strict")
    assert bounds["theorem6"] is None
    assert bounds["theorem3"] == conjunctions.theorem3(6, 5)
    assert bounds["theorem4_expected"] == float(conjunctions.expected_iterations(6))
    assert "D: needs D = n - 1" in reasons("and:6", selection="strict")["theorem4_expected"]


def test_searches_that_statements_do_not_cover():
    assert "D >= 10" in reasons("and:4", nodes=8)["theorem3_tail_delta1"]
    assert "duality" in reasons("or:4")["theorem3"]
    assert "profile paper" in reasons("and:4", profile="tinyverse")["theorem6"]
    few = statements(search_for("and:8", nodes=3))
    assert [item.value is None for item in few if item.key in ("lemma2_mismatches", "theorem3")] == [
        False,
        True,
    ]
    assert "mutation sam" in reasons("and:4", mutation="point:2")["theorem3"]
    assert "lambda 1" in reasons("and:4", offspring=5)["theorem6"]
    assert reasons("and:4", selection="strict", options={"waiting": "drawn"})["theorem3"] == ""
    assert values("and:4", profile="tinyverse")["tgp_single_tinyverse"] == pytest.approx(
        12 * (1 + 1 / 2 + 1 / 3)
    )
    assert values("and:4", options={"ties": "coin"})["theorem6"] is None


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("and:12", {}),
        ("and:12", {"nodes": 11, "selection": "strict"}),
        ("xor:300", {"nodes": "n"}),
    ],
)
def test_sampled_sets_get_no_statement_for_complete_ones(name, options):
    complete, sampled = (
        statements(search_for(name, training=kind, **options)) for kind in ("complete", "sample")
    )
    assert any(item.value is not None for item in complete if item.key in ON_COMPLETE_SETS)
    for before, after in zip(complete, sampled, strict=True):
        if before.key in ON_COMPLETE_SETS:
            assert after.value is None
            assert (
                before.value is None or after.why == "training: needs the complete set: --training complete"
            )
        elif before.key not in ("tgp_single_order", "sampled_expected"):
            assert (after.value, after.why) == (before.value, before.why)
    order = {"and": "O(log n)", "xor": None}[name.partition(":")[0]]
    assert next(item.value for item in sampled if item.key == "tgp_single_order") == order


def test_all_unmet_assumptions_are_named():
    why = reasons("and:8", nodes=8, training="sample", mutation="point:2", offspring=4)["theorem4_expected"]
    assert [part.partition(":")[0] for part in why.split("; ")] == [
        "D", "training", "mutation", "lambda", "selection",
    ]  # fmt: skip


def test_one_statement_by_its_key():
    search = search_for("and:8", nodes=16)
    assert applied("theorem3", search).value == conjunctions.theorem3(8, 16)
    with pytest.raises(InputError, match="unknown statement 'theorem2'"):
        applied("theorem2", search)
    keys = [item.key for item in STATEMENTS]
    assert len(set(keys)) == len(keys)


def test_the_gap_of_theorem_6_is_said_wherever_it_has_a_number():
    for item in (*statements(search_for("and:8")), *tail_statements(search_for("and:8"), 0.5)):
        assert (item.note == GAP) == item.name.startswith("Theorem 6")
    assert "but the claim is true: Theorem A" in GAP
    assert GAP not in {item.note for item in statements(search_for("and:8", selection="strict"))}


def test_what_is_not_the_reported_time_says_so():
    """Trees of the profile tinyverse report T - 1; means over sets are of what the profile reports."""
    notes = {item.key: item.note for item in statements(search_for("and:8"))}
    assert "reports T - 1" in notes["tgp_single_tinyverse"]
    words = {"nodes": 2, "training": "sample:4"}
    for profile, is_said in (("paper", False), ("tinyverse", True)):
        sampled = applied("sampled_expected", search_for("and:3", profile=profile, **words))
        assert sampled.value is not None
        assert ("T - 1" in sampled.note) == is_said


def test_exclusive_disjunction():
    bounds = values("xor:300", nodes="n")
    assert bounds["theorem9"] == "exp(Omega(n))"
    assert "large enough" in applied("theorem9", search_for("xor:300", nodes="n")).note
    assert bounds["lemma8_drift"] > 0.3
    assert 0.99 < bounds["lemma7_probability"] <= 1
    assert 0 < bounds["lemma7_rest"] < 1e-12


def test_lemma_8_holds_up_to_a_hundredth_and_theorem_9_is_only_sure_without_excess():
    assert values("xor:1000", nodes=1010)["lemma8_drift"] > 0.3
    assert "D <= 1010 nodes" in reasons("xor:1000", nodes=1011)["lemma8_drift"]
    assert values("xor:1000", nodes=1000)["theorem9"] == "exp(Omega(n))"
    assert "how small, the paper does not say" in reasons("xor:1000", nodes=1001)["theorem9"]


def test_lemma_8_needs_a_potential_in_its_interval():
    assert values("xor:256", nodes="n")["lemma8_drift"] is not None
    assert "n >= 256" in reasons("xor:255", nodes="n")["lemma8_drift"]
    for n in range(2, 600):
        low, high = exclusives.lemma8_interval(n)
        assert any(low <= y <= high for y in range(5)) == (n >= exclusives.LEMMA8_INPUTS)


def test_lemma_7_is_about_one_random_start_with_unlimited_reach():
    assert values("xor:20", nodes="n")["lemma7_probability"] == exclusives.lemma7_probability(20, 20)
    for options in (
        {"options": {"levels_back": 2, "levels_over": "sources"}},
        {"options": {"levels_back": 2}},
        {"options": {"rows": 2}},
    ):
        assert reasons("xor:20", nodes=20, **options)["lemma7_probability"].startswith("reach:")
    assert reasons("xor:20", nodes=20, options={"starts": 2})["lemma7_probability"].startswith("start:")
    genes = "genes:" + ",".join(map(str, [0, 0, 1, 0, 0, 1, 3]))
    assert reasons("xor:3", nodes=2, start=genes)["lemma7_probability"].startswith("start:")
    assert values("xor:20", nodes=20, options={"levels_back": 20})["lemma7_probability"] is not None


def test_tails():
    tails = {item.key: item.value for item in tail_statements(search_for("and:8", nodes=16), 0.99)}
    assert tails["theorem3"] > tails["theorem3_lemma10"] > conjunctions.theorem3(8, 16)
    assert tails["theorem6_markov"] >= conjunctions.theorem6(8, 16)
    assert tails["theorem4"] is None
    strict = search_for("and:6", nodes="n-1", selection="strict")
    four = next(item for item in tail_statements(strict, 0.5) if item.key == "theorem4")
    assert four.value == pytest.approx(0.6931 * float(conjunctions.expected_iterations(6)), rel=1e-3)
    with pytest.raises(InputError, match="between 0 and 1"):
        tail_statements(strict, 1.0)


def test_every_statement_is_in_the_reference():
    reference = REFERENCE.read_text("utf-8")
    for item in (*STATEMENTS, *TAILS):
        assert f"`{item.key}`" in reference


@pytest.mark.parametrize("selection", ["nonstrict", "strict"])
def test_bounds_on_conjunctions_hold(selection):
    time = exact("and:3", nodes=3, selection=selection).expected_iterations
    bounds = {item.key: item for item in statements(search_for("and:3", nodes=3, selection=selection))}
    assert bounds["enclosure_lower"].value <= time
    if selection == "strict":
        assert bounds["enclosure_upper"].value is None
        assert bounds["certified_levels"].value is None
    else:
        assert time <= bounds["enclosure_upper"].value <= bounds["certified_levels"].value


def test_bounds_on_exclusive_disjunctions_hold():
    bounds = {item.key: item.value for item in statements(search_for("xor:3", nodes=3))}
    known = exact("xor:3", nodes=3)
    assert bounds["xor_start_optimal"] == pytest.approx(known.p_solved_at_start, rel=1e-12)
    assert bounds["xor_lower"] <= bounds["xor_lower_active"] <= known.expected_iterations
    assert 2 ** bounds["xor_lower_log2"] == pytest.approx(bounds["xor_lower_active"])
    stuck = {item.key: item.value for item in statements(search_for("xor:3", nodes=3, selection="strict"))}
    assert 0 < stuck["xor_stuck_lower"] <= exact("xor:3", nodes=3, selection="strict").p_never


@statement("power", "Power", "n to a power", needs=(CONJUNCTION, inputs_from(3)))
def power(n, *, exponent=2):
    """n squared, unless another exponent is given."""
    return Fraction(n**exponent)


def test_a_statement_is_called_as_its_formula():
    assert power(5) == 25
    assert power(5, exponent=3) == 125
    assert (power.key, power.name, power.says, power.note) == ("power", "Power", "n to a power", "")
    assert power.__doc__ == "n squared, unless another exponent is given."
    assert inspect.unwrap(power) is power.formula


def test_a_formula_is_given_what_its_parameters_are_named_after():
    search = search_for("and:5", nodes=7)
    assert unmet(power.needs, search) == ()
    value = power.value(search)
    assert (type(value), value) == (float, 25.0)
    assert power.value(search, exponent=3) == 125

    @statement("all", "All", "everything that a formula can ask for", needs=())
    def everything(search, n, nodes, strict, outputs, gates, arity):
        return search, n, nodes, strict, outputs, gates, arity

    adder = search_for("add:2", nodes=9, gates="and,not,xor", selection="strict")
    assert everything.value(adder) == (adder, 5, 9, True, 3, 3, 2)
    assert everything.value(search_for("and:4", algorithm="tgp-single"))[1:3] == (4, 0)


def test_assumptions_say_why_a_statement_does_not_apply():
    assert why_not(power.needs, search_for("and:2")).startswith("n: ")
    assert unmet(power.needs, search_for("xor:2")) == (CONJUNCTION,)  # n would be of another target


def test_a_statement_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        power.key = "cube"


def test_what_is_required_is_refused_in_its_own_words():
    needs = (
        Assumption("n", "take more inputs", lambda search: search.n > 3),
        Assumption("D", lambda search: f"not {search.nodes} nodes", lambda search: search.nodes > 8),
        assumptions.LARGE_N,
    )
    require(needs, search_for("and:4", nodes=9))
    with pytest.raises(InputError, match=r"^take more inputs$"):
        require(needs, search_for("and:3", nodes=3))
    with pytest.raises(InputError, match=r"^not 8 nodes$"):
        require(needs, search_for("and:4", nodes=8))


OTHER_LAWS = {
    "sam_ends": "picked",
    "waiting": "drawn",
    "ties": "coin",
    "starts": 2,
    "uncounted": 1,
    "levels_back": 2,
    "levels_over": "sources",
    "rows": 2,
}
COIN = {"ties": "coin"}
SAME_LAWS = {"waiting", "levels_over"}  # by themselves they change no distribution


def failed(asked, name, **options):
    return unmet((asked,), search_for(name, **options)) == (asked,)


def test_every_option_of_the_law_that_is_not_the_paper_s_fails_one_assumption():
    assert {field.name for field in fields(CgpLaw)} == set(OTHER_LAWS)  # a new option needs an assumption
    asked = (*assumptions.ALGORITHM_1, assumptions.EITHER_SELECTION)
    for name, value in OTHER_LAWS.items():
        selection = "strict" if name == "waiting" else "nonstrict"
        search = search_for("and:5", nodes=8, selection=selection, options={name: value})
        assert len(unmet(asked, search)) == (name not in SAME_LAWS), name


@pytest.mark.parametrize(
    ("asked", "met", "not_met"),
    [
        (assumptions.CONJUNCTION, {}, {"gates": "and,or"}),
        (assumptions.CARTESIAN, {}, {"algorithm": "tgp-single"}),
        (assumptions.SAM, {}, {"mutation": "point:2"}),
        (assumptions.ONE_OFFSPRING, {}, {"offspring": 2}),
        (assumptions.STRICT, {"selection": "strict"}, {}),
        (assumptions.NONSTRICT, {}, {"selection": "strict"}),
        (assumptions.NONSTRICT, {}, {"options": COIN}),
        (assumptions.EITHER_SELECTION, {"selection": "strict", "options": COIN}, {"options": COIN}),
        (assumptions.COMPLETE_SET, {}, {"training": "sample"}),
        (assumptions.COMPLETE_SET, {}, {"training": "sample:1000"}),
        (assumptions.ONE_START, {}, {"nodes": 4, "start": "penultimate"}),
        (assumptions.ANY_SINGLE_START, {"nodes": 4, "start": "penultimate"}, {"options": {"starts": 2}}),
        (assumptions.ENOUGH_NODES, {"nodes": 4}, {"nodes": 3}),
        (assumptions.FEWEST_NODES, {"nodes": 4}, {"nodes": 5}),
        (assumptions.SMALL_EXCESS, {"nodes": 5}, {"nodes": 6}),
        (assumptions.inputs_from(5), {}, None),
        (assumptions.inputs_from(6), None, {}),
        (assumptions.inputs_to(5), {}, None),
        (assumptions.inputs_to(4), None, {}),
        (assumptions.nodes_from(10), {"nodes": 10}, {"nodes": 9}),
    ],
)  # fmt: skip
def test_each_assumption(asked, met, not_met):
    assert met is None or not failed(asked, "and:5", **met)
    assert not_met is None or failed(asked, "and:5", **not_met)


@pytest.mark.parametrize(
    ("options", "is_unlimited"),
    [
        ({}, True),
        ({"levels_back": 7}, True),  # the last of eight nodes reads seven columns back
        ({"levels_back": "nodes"}, True),
        ({"levels_back": 6}, False),
        ({"levels_back": "nodes", "levels_over": "sources"}, False),
        ({"levels_back": 12, "levels_over": "sources"}, True),
        ({"levels_back": 11, "levels_over": "sources"}, False),
        ({"rows": 2}, False),
    ],
)
def test_reach_is_what_programs_can_read(options, is_unlimited):
    search = search_for("xor:5", nodes=8, options=options)
    counts = search.shape.ranges.count.reshape(-1)[:-1].reshape(8, 3)[:, 1:]
    assert all((counts[node] == 5 + node).all() for node in range(8)) == is_unlimited
    assert failed(assumptions.UNLIMITED_REACH, "xor:5", nodes=8, options=options) != is_unlimited


def test_a_hundredth_more_nodes_is_allowed_and_no_more():
    asked = assumptions.HUNDREDTH_MORE_NODES
    assert not failed(asked, "xor:1000", nodes=1010)
    assert failed(asked, "xor:1000", nodes=1011)
    assert "1010" in why_not((asked,), search_for("xor:1000", nodes=1011))


def test_another_target_needs_no_further_reason():
    asked = (assumptions.CONJUNCTION, assumptions.STRICT, assumptions.FEWEST_NODES)
    assert why_not(asked, search_for("xor:4")) == "target: needs and:N with gates and"
    assert [assumption.about for assumption in unmet(asked, search_for("and:4"))] == ["selection", "D"]
    assert "by duality or:N" in why_not(asked, search_for("or:4"))


def test_reasons_say_what_they_are_about_and_which_profile_would_do():
    asked = (assumptions.SAM, assumptions.COMPLETE_SET)
    assert why_not(asked, search_for("and:4")) == ""
    search = search_for("and:4", profile="tinyverse", training="sample")
    assert why_not(asked, search) == (
        "mutation: needs --mutation sam with sam_ends=changed; "
        "training: needs the complete set: --training complete; --profile paper is as the proofs need it"
    )


def test_what_nobody_can_check_is_never_unmet():
    assert unmet((assumptions.LARGE_N,), search_for("xor:2")) == ()
    assert "large enough" in assumptions.LARGE_N.words_for(search_for("xor:2"))


SEARCH, TREES = search_for("and:2", nodes=2), search_for("and:2", algorithm="tgp-single")


def fields_of(search):
    """The fields of a search, without what is computed from them."""
    return {field.name: getattr(search, field.name) for field in fields(search)}


DOORS = [
    exact_result,
    solve_chain,
    expected_fraction,
    statements,
    lambda search: tail_statements(search, 0.9),
    lambda search: observe_runs(search, seed=0, runs=1),
]


@dataclass(frozen=True, kw_only=True)
class LongerLaw(CgpLaw):
    """A law with an option that the theory was not taught."""

    elitism: int = 0


@dataclass(frozen=True, kw_only=True)
class LongerSearch(CgpSearch):
    """The same for a search."""

    crossover: str = "none"


@dataclass(frozen=True, kw_only=True)
class OtherSearch:
    """A search by an algorithm of a later time."""

    algorithm: str = "lgp"


@dataclass(frozen=True)
class Active:
    """A training set of a later time."""

    def __str__(self):
        return "active"


@dataclass(frozen=True)
class Shuffle:
    """A mutation of a later time."""

    name: str = "shuffle"

    def __str__(self):
        return "shuffle:2"


UNKNOWN = [
    (OtherSearch(), "algorithm 'lgp'"),
    (replace(SEARCH, selection="lexicase"), "selection 'lexicase'"),
    (replace(SEARCH, evaluation="quantum"), "evaluation 'quantum'"),
    (replace(SEARCH, training=Active()), "training 'active'"),
    (replace(SEARCH, law=replace(SEARCH.law, ties="best")), "option ties 'best'"),
    (replace(SEARCH, law=replace(SEARCH.law, sam_ends="never")), "option sam_ends 'never'"),
    (replace(SEARCH, law=replace(SEARCH.law, waiting="hoped")), "option waiting 'hoped'"),
    (replace(SEARCH, law=LongerLaw(elitism=3)), "option elitism"),
    (LongerSearch(**fields_of(SEARCH), crossover="one-point"), "setting crossover"),
    (replace(TREES, steps="many"), "steps 'many'"),
    (replace(TREES, law=CgpLaw()), "tgp-single needs a TgpLaw, not a CgpLaw"),
]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("search", "words"), UNKNOWN)
def test_unknown_is_refused_at_every_door(door, search, words):
    with pytest.raises(InputError, match=words) as refused:
        door(search)
    assert "\n" not in str(refused.value)


def test_what_was_not_taught_may_have_its_default():
    check_taught(replace(SEARCH, law=LongerLaw()))
    check_taught(LongerSearch(**fields_of(SEARCH)))


def test_a_mutation_that_others_can_do_has_no_exact_times():
    search = replace(SEARCH, mutation=Shuffle())
    with pytest.raises(
        InputError,
        match="exact times are for mutation sam, point:K, rate:P and those of your own, not shuffle:2",
    ):
        exact_result(search)
    with pytest.raises(InputError, match="sam, point:K, rate:P and those of your own, not shuffle:2"):
        solve_chain(search)
    with pytest.raises(InputError, match="with sam"):
        expected_fraction(search)
    bounds = {item.key: item for item in statements(search)}
    for key in ("theorem3", "theorem6", "theorem3_tail_delta1"):
        assert bounds[key].value is None
        assert "--mutation sam" in bounds[key].why


def test_the_theory_knows_nothing_that_no_search_can_be():
    for kind in (CgpSearch, TgpSearch):
        assert {*TAUGHT[kind]["selection"]} <= {*SELECTIONS}
        assert {*TAUGHT[kind]["evaluation"]} <= {*EVALUATIONS}
    for record, taught in TAUGHT.items():
        assert taught.keys() <= record.__dataclass_fields__.keys()


def test_chance_that_a_tie_is_accepted():
    coin = replace(SEARCH.law, ties="coin")
    assert tie_acceptance(SEARCH) == 1.0
    assert tie_acceptance(replace(SEARCH, law=coin)) == 0.5
    assert tie_acceptance(replace(SEARCH, law=coin, selection="strict")) == 0.0
    with pytest.raises(InputError, match="does not cover selection"):
        tie_acceptance(replace(SEARCH, selection="plus"))


def test_the_end_of_sam():
    assert not picked_ends(CgpLaw())
    assert picked_ends(CgpLaw(sam_ends="picked"))
    with pytest.raises(InputError, match="sam_ends='soon'"):
        picked_ends(CgpLaw(sam_ends="soon"))
