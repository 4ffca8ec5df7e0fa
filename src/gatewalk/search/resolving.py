"""How each setting of a search is resolved: from what was written, and the settings before it by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gatewalk.bigint import whole
from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.boolean.targets import Target, defaults
from gatewalk.boolean.training import sample_rows
from gatewalk.cgp.law import PROFILES as CGP_PROFILES
from gatewalk.cgp.law import CgpLaw
from gatewalk.circuit.named import gates_named
from gatewalk.circuit.own_target import target
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.search.expression import in_n
from gatewalk.search.law_options import with_options
from gatewalk.search.option import Resolve
from gatewalk.search.start import parse_start
from gatewalk.tgp.law import PROFILES as TGP_PROFILES
from gatewalk.tgp.law import TgpLaw

LAWS: dict[str, Mapping[str, CgpLaw | TgpLaw]] = {
    "cgp": CGP_PROFILES,
    "tgp-single": TGP_PROFILES,
    "tgp-multi": TGP_PROFILES,
}
LARGEST_SAMPLE_BYTES = 2 << 30
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
            raise InputError(f"{words}: use fewer")
        return count
    raise InputError(f"training is {shown(training)}; use complete, sample or sample:ROWS with ROWS >= 1")
