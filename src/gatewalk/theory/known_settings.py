"""Which searches the theory knows. Every case is listed here, and anything else is refused.

When a mutation, an option or an algorithm is added elsewhere, the proofs and the exact solver do not cover it
yet. They then say so, instead of treating it like a case that they know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields

from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import complete
from gatewalk.boolean.truth_table import MOST_INPUTS
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.mutations import parse_mutation
from gatewalk.errors import InputError
from gatewalk.search.settings import Settings, training_rows
from gatewalk.tgp.law import TgpLaw

LAWS = {"cgp": CgpLaw, "tgp-single": TgpLaw, "tgp-multi": TgpLaw}
CHOICES = {
    "algorithm": tuple(LAWS),
    "selection": ("nonstrict", "strict"),
    "evaluation": ("auto", "table", "symbolic", "reference"),
}
SETTINGS = {
    "target", "algorithm", "nodes", "gates", "selection", "profile", "law", "mutation", "training",
    "offspring", "budget", "evaluation", "start",
}  # fmt: skip
ANY: tuple[str, ...] = ()  # every value is known: a number, or a text that the code using it checks
OPTIONS: Mapping[type, Mapping[str, tuple[str, ...]]] = {
    CgpLaw: {
        "sam_ends": ("changed", "picked"),
        "waiting": ("walked", "drawn"),
        "ties": ("accept", "coin"),
        "starts": ANY,
        "uncounted": ANY,
        "levels_back": ("nodes",),
        "levels_over": ("sources", "columns"),
        "rows": ANY,
    },
    TgpLaw: {
        "insert_at": ("node", "leaf", "descent"),
        "delete_at": ("leaf", "descent"),
        "substitution": ("leaves", "functions", "both", "off"),
        "child_order": ("random", "new-first"),
        "empty": ("never", "false", "true"),
        "size_limit": ANY,
        "ties": ("accept", "coin"),
        "starts": ANY,
        "uncounted": ANY,
        "terminals": ANY,
    },
}


def check_known(settings: Settings) -> None:
    """Raise `InputError` if the settings contain anything that the theory does not know.

    A setting or option that is not listed above must have its default, which is the paper's.
    """
    for name, choices in CHOICES.items():
        _check_choice(name, getattr(settings, name), choices)
    _check_unlisted("setting", settings, SETTINGS)
    law = LAWS[settings.algorithm]
    if not isinstance(settings.law, law):
        raise InputError(f"{settings.algorithm} needs a {law.__name__}, not a {type(settings.law).__name__}")
    for name, choices in OPTIONS[law].items():
        value = getattr(settings.law, name)
        if choices and isinstance(value, str):
            _check_choice(f"option {name}", value, choices)
    _check_unlisted("option", settings.law, OPTIONS[law])
    training_rows(settings.training, settings.wanted)
    _check_rows(settings.wanted)
    if settings.mutation is not None:
        parse_mutation(settings.mutation)


def _check_rows(wanted: Target) -> None:
    """Refuse rows that count for some outputs only; rows that count for no output are left out anyway."""
    if wanted.cares is None or wanted.outputs == 1:
        return
    if wanted.inputs > MOST_INPUTS or complete(wanted).cares is not None:
        raise InputError(
            f"{wanted.label} has rows that count for some outputs only, which the theory does not know: "
            "use gatewalk evolve"
        )


def tie_acceptance(settings: Settings) -> float:
    """The probability that one equally fit offspring becomes the parent."""
    cases = {
        ("strict", "accept"): 0.0,
        ("strict", "coin"): 0.0,
        ("nonstrict", "accept"): 1.0,
        ("nonstrict", "coin"): 0.5,
    }
    case = (settings.selection, settings.law.ties)
    if case not in cases:
        raise InputError(
            f"the theory does not know selection {settings.selection!r} with ties={settings.law.ties!r}"
        )
    return cases[case]


def picked_ends(law: CgpLaw) -> bool:
    """Whether SAM ends as soon as an active gene is picked, even if that gene cannot change."""
    cases = {"changed": False, "picked": True}
    if law.sam_ends not in cases:
        raise InputError(f"the theory does not know option sam_ends={law.sam_ends!r}")
    return cases[law.sam_ends]


def _check_choice(what: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InputError(f"the theory does not know {what} {value!r}, only {', '.join(choices)}")


def _check_unlisted(what: str, values: Settings | CgpLaw | TgpLaw, listed: object) -> None:
    assert isinstance(listed, set | Mapping)
    for field in fields(values):
        value = getattr(values, field.name)
        if field.name not in listed and value != _default(field):
            raise InputError(
                f"the theory does not know {what} {field.name}: leave it out, or use gatewalk evolve"
            )


def _default(field: Field[object]) -> object:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else MISSING
