"""The law of the (1+1) TGP: every choice that changes the distribution of a run, and the two profiles.

`PAPER` is HVL-prime as the literature has it: Neumann, O'Reilly and Wagner (2011), Mambrini and
Oliveto (2016). `TINYVERSE` is how the tree GP of the experiments published with Dang, Kalkreuth
and Opris (2026) really behaved. Each difference is a field of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, get_args, get_type_hints

from gatewalk.errors import InputError, shown, whole_number


@dataclass(frozen=True, kw_only=True)
class TgpLaw:
    """Options of the search law; the defaults are those of the profile `paper`.

    insert_at: the v that an insertion replaces by f(v, u), u a new leaf: a uniform "node", a uniform
        "leaf", or the leaf in which a "descent" from the root by fair coins ends.
    delete_at: which leaf is deleted, its sibling taking their parent's place: uniform or by "descent".
    substitution: gives a uniform terminal to a uniform leaf ("leaves"), a uniform function to a
        uniform inner node ("functions"), either to a uniform node ("both"), or is not among the
        operators ("off"); the other two are then equally likely.
    child_order: an insertion makes f(v, u) or f(u, v) at "random", or f(u, v), "new-first".
    empty: a tree of one leaf is "never" deleted, or becomes the empty program, which computes the
        constant "false" or "true" and which only an insertion changes, into one leaf.
    size_limit: an offspring with more leaves is rejected (Doerr, Lissovoi and Oliveto 2019).
    ties: under non-strict selection an equally fit offspring is always accepted ("accept") or the
        parent is uniform among the best ("coin").
    starts: the search starts from the best of this many uniform leaves (among equals a uniform
        one if selection is non-strict, the first if it is strict).
    uncounted: iterations reported are max(0, T - uncounted), where T offspring were evaluated.
    terminals: what leaves can be: "inputs", to which "+undesired:K" adds K inputs that the target
        ignores and "+negated" the negation of every input (Mambrini and Oliveto 2016;
        Lissovoi and Oliveto 2018).
    """

    insert_at: Literal["node", "leaf", "descent"] = "node"
    delete_at: Literal["leaf", "descent"] = "leaf"
    substitution: Literal["leaves", "functions", "both", "off"] = "leaves"
    child_order: Literal["random", "new-first"] = "random"
    empty: Literal["never", "false", "true"] = "never"
    size_limit: int | None = None
    ties: Literal["accept", "coin"] = "accept"
    starts: int = 1
    uncounted: int = 0
    terminals: str = "inputs"

    def __post_init__(self) -> None:
        hints = get_type_hints(TgpLaw)
        for option in fields(self):
            choices = get_args(hints[option.name])
            value = getattr(self, option.name)
            if isinstance(option.default, str) and choices and value not in choices:
                listed = ", ".join(choices)
                raise InputError(f"tree option {option.name} is {shown(value)}: it can be {listed}")
        if self.size_limit is not None:
            whole_number("option size_limit", self.size_limit, least=1)
        whole_number("option starts", self.starts, least=1)
        whole_number("option uncounted", self.uncounted, least=0)


PAPER = TgpLaw()
TINYVERSE = TgpLaw(
    insert_at="descent",
    delete_at="descent",
    substitution="functions",
    child_order="new-first",
    ties="coin",
    starts=2,
    uncounted=1,
)
PROFILES = {"paper": PAPER, "tinyverse": TINYVERSE}
