"""All that determines a search, checked and resolved once: `settings("and:8", nodes="2n")`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from typing import Any, get_args, get_type_hints

from gatewalk.bigint import whole
from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.boolean.targets import Target, fewest_nodes, target
from gatewalk.boolean.training import sample_rows
from gatewalk.cgp.law import PROFILES as CGP_PROFILES
from gatewalk.cgp.law import CgpLaw
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.search.expression import in_n
from gatewalk.search.start import parse_start
from gatewalk.tgp.law import PROFILES as TGP_PROFILES
from gatewalk.tgp.law import TgpLaw

ALGORITHMS = ("cgp", "tgp-single", "tgp-multi")
SELECTIONS = ("nonstrict", "strict")
EVALUATIONS = ("auto", "table", "symbolic", "reference")
PROFILE_NAMES = tuple(CGP_PROFILES)
_EXAMPLES = {"mutation": "point:3", "training": "sample:100"}
LARGEST_OPTION = 1_000_000_000
LARGEST_SAMPLE_BYTES = 2 << 30


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A search without its seed; make one with `settings`, which checks every field.

    nodes and mutation are None for trees. law holds every option of the profile. start is
    "random" or the genes to begin from, as text. budget counts reported iterations.
    """

    target: str
    algorithm: str = "cgp"
    nodes: int | None
    gates: tuple[str, ...]
    selection: str = "nonstrict"
    profile: str = "paper"
    law: CgpLaw | TgpLaw
    mutation: str | None = "sam"
    training: str = "complete"
    offspring: int = 1
    budget: int = 1_000_000
    evaluation: str = "auto"
    start: str = "random"

    @property
    def strict(self) -> bool:
        return self.selection == "strict"

    @property
    def options(self) -> dict[str, Any]:
        """The fields of the law that differ from the profile's."""
        profile = asdict(_profile(self.algorithm, self.profile))
        return {name: value for name, value in asdict(self.law).items() if value != profile[name]}


def settings(
    target_name: str | Target,
    *,
    algorithm: str = "cgp",
    nodes: int | str = "2n",
    selection: str = "nonstrict",
    profile: str = "paper",
    options: Mapping[str, object] | None = None,
    gates: str | Iterable[str] | GateSet | None = None,
    mutation: str = "sam",
    training: str = "complete",
    budget: int = 1_000_000,
    offspring: int = 1,
    evaluation: str = "auto",
    start: str = "random",
) -> Settings:
    """Check and resolve; an `InputError` says what is wrong and what is possible.

    >>> settings("and:8", nodes="3n+1", selection="strict").nodes
    25
    """
    wanted = target_name if isinstance(target_name, Target) else target(target_name)
    _one_of("algorithm", algorithm, ALGORITHMS)
    _one_of("selection", selection, SELECTIONS)
    _one_of("evaluation", evaluation, EVALUATIONS)
    _one_of("profile", profile, PROFILE_NAMES)
    whole_number("budget", budget, least=0)
    whole_number("lambda", offspring, least=1)
    for what, text in (("mutation", mutation), ("training", training)):
        if not isinstance(text, str):
            raise InputError(f"{what} is {text!r}; it must be a text, as in {what}={_EXAMPLES[what]!r}")
    training_rows(training, wanted)
    law = with_options(_profile(algorithm, profile), options or {})
    chosen = gates if isinstance(gates, GateSet) else gate_set(wanted.gates if gates is None else gates)
    is_cgp = algorithm == "cgp"
    if is_cgp:
        from gatewalk.cgp.mutations import canonical

        mutation = canonical(mutation)
        if law.waiting == "drawn" and (mutation != "sam" or offspring != 1 or selection != "strict"):
            raise InputError("option waiting=drawn is for --selection strict, --mutation sam and --lambda 1")
    elif wanted.outputs != 1:
        raise InputError(f"{wanted.name} has {wanted.outputs} outputs; trees have one: use --algorithm cgp")
    made = Settings(
        target=wanted.name,
        algorithm=algorithm,
        nodes=in_n(nodes, wanted.inputs) if is_cgp else None,
        gates=chosen.names,
        selection=selection,
        profile=profile,
        law=law,
        mutation=mutation if is_cgp else None,
        training=training,
        offspring=offspring,
        budget=budget,
        evaluation=evaluation,
    )
    return replace(made, start=parse_start(start, made.nodes, wanted, chosen, law))


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
            words = f"{shown(count)} rows of {wanted.name} would take {shown(size >> 30)} GiB of memory"
            raise InputError(f"{words}: use fewer")
        return count
    raise InputError(f"training is {shown(training)}; use complete, sample or sample:ROWS with ROWS >= 1")


def with_options(law: Any, options: Mapping[str, object]) -> Any:
    """A law with single options changed; texts as from a command line are understood."""
    if not options:  # as for most: types take half a millisecond to look up
        return law
    hints = get_type_hints(type(law))
    changed = {}
    for name, value in options.items():
        if name not in hints:
            known = ", ".join(field.name for field in fields(law))
            raise InputError(f"unknown option {shown(name)}; this algorithm knows {known}")
        changed[name] = _option_value(name, value, hints[name])
    return replace(law, **changed)


def _option_value(name: str, value: object, hint: Any) -> object:
    kinds = get_args(hint) or (hint,)
    allowed: list[object] = []
    for kind in kinds:
        literals = get_args(kind)
        allowed += literals or ([kind] if not isinstance(kind, type) else [])
    if int in kinds and isinstance(value, int) and not isinstance(value, bool):
        whole_number(f"option {name}", value, least=-LARGEST_OPTION, most=LARGEST_OPTION)
    if type(None) in kinds and (value is None or str(value).lower() in ("none", "unlimited")):
        return None
    if value in allowed:
        return value
    if bool in kinds and str(value).lower() in ("true", "false", "yes", "no"):
        return str(value).lower() in ("true", "yes")
    if int in kinds and str(value).removeprefix("-").isdecimal():
        number = whole(str(value))
        whole_number(f"option {name}", number, least=-LARGEST_OPTION, most=LARGEST_OPTION)
        return number
    if str in kinds and isinstance(value, str):
        return value
    numbers = ["a number"] if int in kinds else []
    nothing = ["none"] if type(None) in kinds else []
    raise InputError(
        f"option {name} is {shown(value)}; use {', '.join([str(a) for a in allowed] + numbers + nothing)}"
    )


def doubts(made: Settings) -> list[str]:
    """What is allowed but cannot lead to success, in words."""
    wanted = target(made.target)
    gates = gate_set(made.gates)
    fewest = fewest_nodes(wanted, gates)
    if isinstance(made.law, CgpLaw) and made.law.levels_over == "sources":
        back = made.nodes if made.law.levels_back == "nodes" else made.law.levels_back
        if back is not None and back < wanted.inputs and fewest > 0:
            return [
                f"with levels_back = {back} no node reads {wanted.input_labels[0]}, the first of "
                f"{wanted.inputs} inputs: such programs cannot succeed"
            ]
    if made.nodes is not None and made.nodes < fewest:
        return [
            f"{made.target} needs at least {fewest} gates of {gates.arity} inputs: "
            f"{made.nodes} nodes cannot succeed"
        ]
    return []


def law_text(made: Settings) -> str:
    """Everything that determines a run besides its seed and number, as canonical JSON.

    Budget and evaluation are not in it: they change how far a run goes and how fast.
    """
    wanted = target(made.target)
    law = asdict(made.law)
    return json.dumps(
        {
            "target": made.target,
            "algorithm": made.algorithm,
            "nodes": made.nodes,
            "gates": list(made.gates),
            "selection": made.selection,
            "law": law,
            "mutation": made.mutation,
            "rows": training_rows(made.training, wanted),
            "offspring": made.offspring,
            "start": made.start,
        },
        sort_keys=True,
        separators=(",", ":"),
    )


def _profile(algorithm: str, profile: str) -> CgpLaw | TgpLaw:
    return CGP_PROFILES[profile] if algorithm == "cgp" else TGP_PROFILES[profile]


def _one_of(what: str, value: str, known: Iterable[str]) -> None:
    known = list(known)
    if value not in known:
        near = get_close_matches(str(value), known, 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise InputError(f"unknown {what} {shown(value)}{hint}; use {', '.join(known)}")
