"""From what a user wrote to the value of an option, for every option; and why a search would be hopeless.

A `read_*` function gets what was written and, by name, the values of the options before it. It returns the
value, or raises an `InputError` that says what is possible. Where nothing was written, most of them ask the
target.

Some texts have a grammar of their own. A number of nodes may be an expression in n, the inputs of the target:
`16`, `n`, `2n`, `3n+1`, `n-1`, `n^2.5` (`in_n`). Single options change the law of a profile, as
`--option ties=coin` and `options={"ties": "coin"}` do; which there are, and their possible values, is found
from the fields of the law and their types (`with_options`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from math import log2
from typing import Any, cast, get_args, get_type_hints

from gatewalk.boolean.expressible import why_inexpressible
from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.boolean.targets import Target, defaults, fewest_nodes
from gatewalk.boolean.training import COMPLETE, Complete, Sample, sampled_rows
from gatewalk.cgp.cgp_search import PROFILES as CGP_PROFILES
from gatewalk.cgp.cgp_search import CgpLaw, CgpSearch, Mutation, Selection, SelectionRule, Ties
from gatewalk.cgp.genotype import shape_for
from gatewalk.circuit.own_targets import target
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.numbers import whole
from gatewalk.tgp.tgp_search import PROFILES as TGP_PROFILES
from gatewalk.tgp.tgp_search import TgpLaw, TgpSearch

LAWS: dict[str, Mapping[str, CgpLaw | TgpLaw]] = {
    "cgp": CGP_PROFILES,
    "tgp-single": TGP_PROFILES,
    "tgp-multi": TGP_PROFILES,
}
SELECTIONS = ("nonstrict", "strict")
MOST_NODES = 10_000_000
LARGEST_OPTION = 1_000_000_000
_IN_N = re.compile(
    r"(?P<factor>\d*)\s*\*?\s*n(?:\^(?P<power>[0-9]{1,2}(?:\.[0-9]{1,3})?)|(?P<square>²))?\s*(?P<shift>[+-]\s*\d+)?",
    re.IGNORECASE,
)
_MANY_BITS = 201  # of a number that messages do not show in full
_NUMBER = re.compile(r"[0-9]*\.?[0-9]{1,30}(e-?[0-9]{1,3})?", re.ASCII)
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,9})?)%", re.ASCII)


Read = Callable[[Any, Mapping[str, Any]], Any]


def one_of(what: str, known: Iterable[str]) -> Read:
    """Reads one of these words."""
    known = tuple(known)

    def read(written: Any, so_far: Mapping[str, Any]) -> str:
        if not isinstance(written, str) or written not in known:
            text = str(written)
            near = [word for word in known if word.startswith(text)] if text else []
            near = near or get_close_matches(text, known, 1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise InputError(f"unknown {what} {shown(written)}{hint}; use {', '.join(known)}")
        return written

    return read


def count_of(what: str, default: str, *, least: int) -> Read:
    """Reads a whole number, also 1e6; if nothing is written, takes what the target has by this name."""

    def read(written: Any, so_far: Mapping[str, Any]) -> int:
        if written is None:
            return int(getattr(defaults(so_far["target"]), default))
        if isinstance(written, float) and written.is_integer():
            written = int(written)
        whole_number(what, written, least=least)
        return int(written)

    return read


def read_target(written: Any, so_far: Mapping[str, Any]) -> Target:
    """The target that a name, a file or anything else that `gatewalk.target` takes stands for."""
    return target(written)


def read_law(written: Any, so_far: Mapping[str, Any]) -> CgpLaw | TgpLaw:
    """The options of the profile, with those that were written."""
    law: CgpLaw | TgpLaw = with_options(LAWS[so_far["algorithm"]][so_far["profile"]], written or {})
    return law


def read_nodes(written: Any, so_far: Mapping[str, Any]) -> int:
    """The number of nodes; if nothing is written, the target's default."""
    goal = so_far["target"]
    return defaults(goal).nodes if written is None else in_n(written, goal.inputs)


def read_gates(written: Any, so_far: Mapping[str, Any]) -> GateSet:
    """The gates; if nothing is written, the target's own."""
    if isinstance(written, GateSet):
        return written
    if isinstance(written, str):
        from gatewalk.circuit.library import gates_named

        return gates_named(written)
    return gate_set(so_far["target"].gates if written is None else written)


def read_mutation(written: Any, so_far: Mapping[str, Any]) -> Mutation:
    """The mutation; a percentage of point:1% is of the genes, of rate:1% a probability."""
    from gatewalk.cgp.mutations import MUTATIONS, mutation_from_text
    from gatewalk.cgp.mutations.point import Point
    from gatewalk.cgp.mutations.rate import Rate

    if not isinstance(written, str):
        if isinstance(written, Mutation):
            return written
        raise InputError(
            f"mutation is {shown(written)}; it must be text, as in mutation='point:3', or a function under "
            '@gatewalk.mutation("name")'
        )
    name, _, strength = written.partition(":")
    if name not in MUTATIONS and (own := _own("mutation", written)) is not None:
        return cast(Mutation, own)
    share = _PERCENT.fullmatch(strength)
    if share is None or name not in ("point", "rate"):
        return mutation_from_text(written)
    part = float(share[1]) / 100
    if name == "rate":
        return Rate(part)
    genes = so_far["nodes"] * (1 + so_far["gates"].arity) + so_far["target"].outputs
    return Point(max(1, round(part * genes)))


def check_tree_mutation(written: Any) -> None:
    """Refuse a mutation that a user wrote for trees, which ignore the others."""
    from gatewalk.cgp.mutations import MUTATIONS
    from gatewalk.cgp.operators import OwnMutation

    if isinstance(written, str) and written.partition(":")[0] not in MUTATIONS:
        written = _own("mutation", written)
    if isinstance(written, OwnMutation):
        raise InputError(f"mutation {written} is for --algorithm cgp; trees have mutations of their own")


def _own(kind: str, written: str) -> Any:
    """The operator of this name that a user wrote, or None."""
    from gatewalk.cgp.operators import from_text

    return from_text(kind, written)


def read_selection(written: Any, so_far: Mapping[str, Any]) -> Selection:
    """The selection: strict, nonstrict, ties:P, or one that a user wrote."""
    selection: Any = _selection(written)
    if so_far["algorithm"] != "cgp" and not isinstance(selection, str):
        raise InputError(f"selection {selection} is for --algorithm cgp; for trees use strict or nonstrict")
    return cast(Selection, selection)


def _selection(written: Any) -> Any:
    if isinstance(written, SelectionRule):
        return written
    if isinstance(written, str) and written not in SELECTIONS:
        name, _, chance = written.partition(":")
        if name == "ties":
            return Ties(float(chance) if _NUMBER.fullmatch(chance) else 0.0)
        if (own := _own("selection", written)) is not None:
            return own
    return one_of("selection", (*SELECTIONS, "ties:P", "FILE:NAME"))(written, {})


def read_training(written: Any, so_far: Mapping[str, Any]) -> Complete | Sample:
    """The training set: complete, sample or sample:ROWS."""
    training = written if isinstance(written, (Complete, Sample)) else _training(written)
    sampled_rows(training, so_far["target"])  # checks the memory
    return training


def _training(written: Any) -> Complete | Sample:
    if not isinstance(written, str):
        raise InputError(f"training is {shown(written)}; it must be text, as in training='sample:100'")
    if written == "complete":
        return COMPLETE
    if written == "sample":
        return Sample()
    kind, _, rows = written.partition(":")
    if kind == "sample" and rows.isdecimal() and (count := whole(rows)) >= 1:
        return Sample(count, written=written)
    raise InputError(f"training is {shown(written)}; use complete, sample or sample:ROWS with ROWS >= 1")


def read_start(written: Any, so_far: Mapping[str, Any]) -> tuple[int, ...] | None:
    """The genes of the first parent; None for random ones."""
    if isinstance(written, str) and written == "random":
        return None
    if so_far["algorithm"] != "cgp":
        raise InputError("trees start at random; --start is for --algorithm cgp")
    from gatewalk.search.start import start_genes

    goal, gates, nodes, law = (so_far[name] for name in ("target", "gates", "nodes", "law"))
    shape = shape_for(inputs=goal.inputs, outputs=goal.outputs, nodes=nodes, gates=gates, law=law)
    return start_genes(written, shape, goal)


def in_n(text: str | int, n: int, *, what: str = "nodes") -> int:
    """The value of an expression for this n; raises `InputError` if it is not an expression or below 1."""
    given = shown(text)
    value = int(text) if isinstance(text, int) else _value(str(text).strip(), n)
    if value is None:
        raise InputError(f"{what} is {given}; use a number or an expression in n such as n, 2n, 3n+1, n^2.5")
    if value < 1:
        raise InputError(f"{what} is {given}, which is {shown(value)} for n = {n}; it must be at least 1")
    if value > MOST_NODES:
        raise InputError(
            f"{what} is {given}, which is {shown(value)} for n = {n}; at most {MOST_NODES:,} are possible"
        )
    return value


def _value(text: str, n: int) -> int | None:
    """The value of a number or an expression; None if the text is neither."""
    if text.removeprefix("-").isdecimal():
        return whole(text)
    form = _IN_N.fullmatch(text)
    if form is None:
        return None
    power = Fraction(2 if form["square"] else form["power"] or 1)
    product = _times_power(whole(form["factor"] or "1"), n, power)
    return product + whole((form["shift"] or "0").replace(" ", ""))


def _times_power(factor: int, n: int, power: Fraction) -> int:
    """The least whole number that is at least factor · n^power, exactly; a huge one may come out too small.

    With power = a/b it is the least m with m^b ≥ factor^b · n^a. Floating point only says where to look: its
    relative error is below 10^-13, since the result has at most some 200 bits.
    """
    above, below = power.numerator, power.denominator
    if below == 1 or factor == 0:
        return factor * int(n**above)
    if factor.bit_length() + float(power) * log2(n) > _MANY_BITS:
        return 1 << _MANY_BITS
    wanted = factor**below * n**above
    near = factor * n ** float(power)
    least, enough = int(near * (1 - 1e-12)), int(near * (1 + 1e-12)) + 1
    while enough - least > 1:  # m = least is too small, m = enough is not
        middle = (least + enough) // 2
        least, enough = (least, middle) if middle**below >= wanted else (middle, enough)
    return enough


def with_options(law: Any, options: Mapping[str, object]) -> Any:
    """A law with single options changed; values may be texts, as from a command line."""
    check_options(options)
    kind: Any = type(law)
    hints = _hints(kind)
    changed = {}
    for name, value in options.items():
        try:
            if name not in hints:
                known = ", ".join(field.name for field in fields(law))
                raise InputError(f"unknown option {shown(name)}; the options of this algorithm are {known}")
            changed[name] = _option_value(name, value, hints[name])
        except InputError as error:
            error.option = f"law.{name}"
            raise
    return replace(law, **changed) if changed else law


def check_options(options: object) -> None:
    """Raise `InputError` unless these are names with values."""
    if not isinstance(options, Mapping):
        raise InputError(
            f"options are {shown(options)}; they must be names with values, as in {{'ties': 'coin'}}"
        )


@cache
def _hints(law: Any) -> dict[str, Any]:
    return get_type_hints(law)  # cached: it takes half a millisecond, and campaigns have many cells


def _option_value(name: str, value: object, hint: Any) -> object:
    kinds = get_args(hint) or (hint,)
    allowed: list[object] = []
    for kind in kinds:
        literals = get_args(kind)
        allowed += literals or ([kind] if not isinstance(kind, type) else [])
    if int in kinds and isinstance(value, int) and not isinstance(value, bool):
        whole_number(f"option {name}", value, least=-LARGEST_OPTION, most=LARGEST_OPTION)
        return value
    if type(None) in kinds and (value is None or str(value).lower() in ("none", "unlimited")):
        return None
    if isinstance(value, str) and value in allowed:
        return value
    if bool in kinds and str(value).lower() in ("true", "false", "yes", "no"):
        return str(value).lower() in ("true", "yes")
    if int in kinds and isinstance(value, str) and value.removeprefix("-").isdecimal():
        number = whole(value)
        whole_number(f"option {name}", number, least=-LARGEST_OPTION, most=LARGEST_OPTION)
        return number
    if str in kinds and isinstance(value, str):
        return value
    numbers = ["a number"] if int in kinds else []
    nothing = ["none"] if type(None) in kinds else []
    raise InputError(
        f"option {name} is {shown(value)}; use {', '.join([str(a) for a in allowed] + numbers + nothing)}"
    )


def why_unsolvable(search: CgpSearch | TgpSearch) -> str | None:
    """Why no program of this search can compute its target, or None if one may exist."""
    reason = why_inexpressible(search.target, search.gates)
    if reason is not None or isinstance(search, TgpSearch):
        return reason
    goal, fewest = search.target, fewest_nodes(search.target, search.gates)
    reach = search.shape.levels_back
    if search.law.levels_over == "sources" and reach is not None and reach < goal.inputs and fewest > 0:
        return (
            f"with levels_back = {reach} no node reads {goal.input_labels[0]}, the first of "
            f"{goal.inputs} inputs"
        )
    if search.nodes < fewest:
        widest = {1: "one", 2: "two", 3: "three"}.get(search.gates.arity, search.gates.arity)
        return f"{goal.label} needs at least {fewest} {widest}-input gates; --nodes {search.nodes} is too few"
    return None
