"""From what a user wrote to the value of a setting, for every setting; and why a search would be hopeless.

A `resolve_*` function gets what was written and, by name, the settings before it, and returns the value, or
raises an `InputError` that says what is possible. Where nothing was written, most of them ask the target.

Some texts have a grammar of their own. A number of nodes may be an expression in n, the inputs of the target:
`16`, `n`, `2n`, `3n+1`, `n-1`, `n^2` (`in_n`). Single options change the law of a profile, as
`--option ties=coin` and `options={"ties": "coin"}` do; which there are, and their possible values, is found
from the fields of the law and their types (`with_options`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from gatewalk.boolean.expressible import why_inexpressible
from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.boolean.targets import Target, defaults, fewest_nodes
from gatewalk.boolean.training import sample_rows
from gatewalk.cgp.law import PROFILES as CGP_PROFILES
from gatewalk.cgp.law import CgpLaw
from gatewalk.circuit.library import gates_named
from gatewalk.circuit.own_targets import target
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.numbers import whole
from gatewalk.search.options import Resolve
from gatewalk.search.start import parse_start
from gatewalk.tgp.law import PROFILES as TGP_PROFILES
from gatewalk.tgp.law import TgpLaw

if TYPE_CHECKING:
    from gatewalk.search.settings import Settings

LAWS: dict[str, Mapping[str, CgpLaw | TgpLaw]] = {
    "cgp": CGP_PROFILES,
    "tgp-single": TGP_PROFILES,
    "tgp-multi": TGP_PROFILES,
}
MOST_NODES = 10_000_000
LARGEST_OPTION = 1_000_000_000
LARGEST_SAMPLE_BYTES = 2 << 30
_IN_N = re.compile(r"(?P<factor>\d*)\s*\*?\s*n(?P<square>\^2|²)?\s*(?P<shift>[+-]\s*\d+)?", re.IGNORECASE)
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,9})?)%", re.ASCII)


def count_of(what: str, default: str, *, least: int) -> Resolve:
    """Resolves to a whole number; if nothing is written, to what the target has of this name."""

    def resolve(written: Any, so_far: Mapping[str, Any]) -> int:
        if written is None:
            return int(getattr(defaults(target(so_far["target"])), default))
        whole_number(what, written, least=least)
        return int(written)

    return resolve


def resolve_target_name(written: Any, so_far: Mapping[str, Any]) -> str:
    """The name of a target, or of what stands for one."""
    return target(written).name


def resolve_law(written: Any, so_far: Mapping[str, Any]) -> CgpLaw | TgpLaw:
    """The options of the profile, with those that were written."""
    law: CgpLaw | TgpLaw = with_options(LAWS[so_far["algorithm"]][so_far["profile"]], written or {})
    return law


def resolve_nodes(written: Any, so_far: Mapping[str, Any]) -> int:
    """The number of nodes; if nothing is written, the target's default."""
    wanted = target(so_far["target"])
    return defaults(wanted).nodes if written is None else in_n(written, wanted.inputs)


def resolve_gate_names(written: Any, so_far: Mapping[str, Any]) -> tuple[str, ...]:
    """The gates as texts; if nothing is written, the target's own."""
    own = target(so_far["target"]).gates
    if isinstance(written, str):
        return gates_named(written).texts
    chosen = written if isinstance(written, GateSet) else gate_set(own if written is None else written)
    return chosen.texts


def resolve_mutation(written: str, so_far: Mapping[str, Any]) -> str:
    """The mutation written in one way; a percentage of point:1% is of the genes, of rate:1% a probability."""
    from gatewalk.cgp.mutations import canonical

    name, _, strength = written.partition(":")
    share = _PERCENT.fullmatch(strength)
    if share is None or name not in ("point", "rate"):
        return canonical(written)
    part = float(share[1]) / 100
    if name == "rate":
        return canonical(f"rate:{part!r}")
    wanted, gates = target(so_far["target"]), gate_set(so_far["gates"])
    genes = so_far["nodes"] * (1 + gates.arity) + wanted.outputs
    return canonical(f"point:{max(1, round(part * genes))}")


def resolve_training(written: str, so_far: Mapping[str, Any]) -> str:
    """The training set, checked."""
    training_rows(written, target(so_far["target"]))
    return written


def resolve_start(written: Any, so_far: Mapping[str, Any]) -> str:
    """The start as text, checked."""
    wanted, gates = target(so_far["target"]), gate_set(so_far["gates"])
    return parse_start(written, so_far["nodes"], wanted, gates, so_far["law"])


def training_rows(training: str, wanted: Target) -> int | None:
    """Rows of a sampled training set; None for the complete one."""
    kind, _, rows = training.partition(":")
    if training == "complete":
        return None
    if training == "sample":
        return sample_rows(wanted.inputs)
    if kind == "sample" and rows.isdecimal() and (count := whole(rows)) >= 1:
        size = count * (wanted.inputs + wanted.outputs) // 8
        if size > LARGEST_SAMPLE_BYTES:
            words = f"{shown(count)} rows of {wanted.label} would take {shown(size >> 30)} GiB of memory"
            raise InputError(f"{words}; use fewer rows")
        return count
    raise InputError(f"training is {shown(training)}; use complete, sample or sample:ROWS with ROWS >= 1")


def in_n(text: str | int, n: int, *, what: str = "nodes") -> int:
    """The value of an expression for this n; raises `InputError` if it is not an expression or below 1."""
    given = shown(text)
    value = int(text) if isinstance(text, int) else _value(str(text).strip(), n)
    if value is None:
        raise InputError(f"{what} is {given}; use a number or an expression in n such as n, 2n, 3n+1, n^2")
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
    power = n * n if form["square"] else n
    return whole(form["factor"] or "1") * power + whole((form["shift"] or "0").replace(" ", ""))


def with_options(law: Any, options: Mapping[str, object]) -> Any:
    """A law with single options changed; values may be texts, as from a command line."""
    if not isinstance(options, Mapping):
        raise InputError(
            f"options are {shown(options)}; they must be names with values, as in {{'ties': 'coin'}}"
        )
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


def why_hopeless(settings: Settings) -> list[str]:
    """A sentence for each reason why a search with these settings cannot succeed, as far as is known."""
    wanted = settings.wanted
    gates = gate_set(settings.gates)
    lacking = why_inexpressible(wanted, gates)
    if lacking is not None:
        return [lacking]
    fewest = fewest_nodes(wanted, gates)
    if isinstance(settings.law, CgpLaw) and settings.law.levels_over == "sources":
        back = settings.nodes if settings.law.levels_back == "nodes" else settings.law.levels_back
        if back is not None and back < wanted.inputs and fewest > 0:
            return [
                f"with levels_back = {back} no node reads {wanted.input_labels[0]}, the first of "
                f"{wanted.inputs} inputs"
            ]
    if settings.nodes is not None and settings.nodes < fewest:
        widest = {1: "one", 2: "two", 3: "three"}.get(gates.arity, gates.arity)
        needed = f"{settings.label} needs at least {fewest} {widest}-input gates"
        return [f"{needed}; --nodes {settings.nodes} is too few"]
    return []
