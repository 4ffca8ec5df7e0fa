"""What a search must meet: assumptions with a text and a check each, and statements that rest on them.

A statement is a formula with a name, decorated: `@statement("theorem3", ..., needs=THEOREM3)`. It has a
number for every search that meets its assumptions, and `unmet` is the only place where these are checked, for
the command line, for figures and for Python. An assumption that cannot be checked for given settings, such as
"n large enough", has no check; it is reported with the number.

The theory knows the searches that it was taught. When a mutation, an option or an algorithm is added
elsewhere, the proofs and the exact solver do not cover it yet; `check_taught` then says so, instead of
treating it like a case that they know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from fractions import Fraction
from inspect import signature
from typing import Any, Generic, ParamSpec, TypeVar

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.table_targets import MOST_INPUTS
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import complete
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.mutations import parse_mutation
from gatewalk.errors import InputError
from gatewalk.search.settings import Settings, training_rows
from gatewalk.tgp.law import TgpLaw

OF_PROFILES = ("mutation", "selection", "reach", "start", "counting")  # subjects that a profile can decide


@dataclass(frozen=True)
class Assumption:
    """Something that a statement, or a measurement, asks of a search.

    about: the part of the search that it is about: "target", "gates", "algorithm", "mutation", "lambda",
        "selection", "training", "reach", "start", "counting", "n", "D" or "size" (of the chain to be solved).
    words: the assumption as a text, or a function that returns the text for given settings.
    holds: whether settings meet it; None if that cannot be decided for a single search.
    """

    about: str
    words: str | Callable[[Settings], str]
    holds: Callable[[Settings], bool] | None

    def words_for(self, settings: Settings) -> str:
        """The assumption as a text, for these settings."""
        return self.words if isinstance(self.words, str) else self.words(settings)


def unmet(assumptions: Iterable[Assumption], settings: Settings) -> tuple[Assumption, ...]:
    """The assumptions that these settings do not meet, in the given order.

    After an unmet assumption about the target or the gates, the following ones are not checked: they would be
    about another search.
    """
    failed: list[Assumption] = []
    for assumption in assumptions:
        if assumption.holds is not None and not assumption.holds(settings):
            failed.append(assumption)
            if assumption.about in ("target", "gates"):
                break
    return tuple(failed)


def why_not(assumptions: Iterable[Assumption], settings: Settings) -> str:
    """The unmet assumptions as one text, each preceded by what it is about; empty if all are met."""
    failed = unmet(assumptions, settings)
    words = "; ".join(f"{assumption.about}: {assumption.words_for(settings)}" for assumption in failed)
    if settings.profile != "paper" and any(assumption.about in OF_PROFILES for assumption in failed):
        words += "; --profile paper is as the proofs need it"
    return words


def require(assumptions: Iterable[Assumption], settings: Settings) -> None:
    """Raise `InputError` with the words of the first assumption that these settings do not meet."""
    for assumption in unmet(assumptions, settings):
        raise InputError(assumption.words_for(settings))


def _nodes(settings: Settings) -> int:
    return settings.nodes or 0  # trees have no nodes


def _cgp_law(settings: Settings) -> CgpLaw | None:
    """The law of a Cartesian search; None for trees, for which the assumption CARTESIAN does not hold."""
    return settings.law if isinstance(settings.law, CgpLaw) else None


def of_family(family: str, *, dual: str = "") -> Assumption:
    """The target is family:N and the only gate that of the family. dual: a family that behaves the same."""

    def words(settings: Settings) -> str:
        hint = f"; by duality {dual}:N with gates {dual} behaves as {family}:N"
        return f"needs {family}:N with gates {family}" + (hint if settings.wanted.family == dual else "")

    return Assumption(
        "target",
        words,
        lambda settings: settings.wanted.family == family and settings.gates == (family,),
    )


def inputs_from(least: int, *, because: str = "") -> Assumption:
    """n is at least this."""
    return Assumption("n", f"needs n >= {least} inputs{because}", lambda settings: settings.n >= least)


def inputs_to(most: int, *, because: str = "") -> Assumption:
    """n is at most this."""
    return Assumption("n", f"needs n <= {most} inputs{because}", lambda settings: settings.n <= most)


def nodes_from(least: int) -> Assumption:
    """D is at least this."""
    return Assumption("D", f"needs D >= {least} nodes", lambda settings: _nodes(settings) >= least)


def nodes_to(most: int, *, because: str = "") -> Assumption:
    """D is at most this."""
    return Assumption("D", f"needs D <= {most} nodes{because}", lambda settings: _nodes(settings) <= most)


def _is_paper_sam(settings: Settings) -> bool:
    law = _cgp_law(settings)
    return law is None or (settings.mutation == "sam" and law.sam_ends == "changed")


def _reaches_everything(settings: Settings) -> bool:
    """Whether every node can read all inputs and all nodes before it."""
    law, nodes = _cgp_law(settings), _nodes(settings)
    if law is None or law.rows != 1:
        return law is None
    back = nodes if law.levels_back == "nodes" else law.levels_back
    farthest = nodes - 1 if law.levels_over == "columns" else settings.n + nodes - 1
    return back is None or back >= farthest


def _excess_at_most(most: Fraction) -> Callable[[Settings], bool]:
    return lambda settings: _nodes(settings) <= (1 + most) * settings.n


CONJUNCTION = of_family("and", dual="or")
EXCLUSIVE = of_family("xor")
CARTESIAN = Assumption(
    "algorithm", "needs Cartesian GP: --algorithm cgp", lambda settings: settings.algorithm == "cgp"
)
SAM = Assumption("mutation", "needs --mutation sam with sam_ends=changed", _is_paper_sam)
ONE_OFFSPRING = Assumption("lambda", "needs --lambda 1", lambda settings: settings.offspring == 1)
STRICT = Assumption("selection", "needs --selection strict", lambda settings: settings.strict)
NONSTRICT = Assumption(
    "selection",
    "needs --selection nonstrict with ties=accept",
    lambda settings: not settings.strict and settings.law.ties == "accept",
)
EITHER_SELECTION = Assumption(
    "selection",
    "needs --selection strict, or nonstrict with ties=accept",
    lambda settings: settings.strict or settings.law.ties == "accept",
)
COMPLETE_SET = Assumption(
    "training",
    "needs the complete set: --training complete",
    lambda settings: settings.training == "complete",
)
UNLIMITED_REACH = Assumption(
    "reach",
    "needs nodes that can read all before them: no levels_back, rows=1",
    _reaches_everything,
)
ONE_START = Assumption(
    "start",
    "needs one uniform random start: --start random with starts=1",
    lambda settings: settings.law.starts == 1 and settings.start == "random",
)
ANY_SINGLE_START = Assumption("start", "needs one start: starts=1", lambda settings: settings.law.starts == 1)
EVERY_OFFSPRING_COUNTED = Assumption(
    "counting",
    "needs every offspring counted: uncounted=0",
    lambda settings: settings.law.uncounted == 0,
)
ENOUGH_NODES = Assumption(
    "D",
    lambda settings: f"needs D >= n - 1 = {settings.n - 1} nodes",
    lambda settings: _nodes(settings) >= settings.n - 1,
)
FEWEST_NODES = Assumption(
    "D",
    lambda settings: f"needs D = n - 1 = {settings.n - 1} nodes",
    lambda settings: _nodes(settings) == settings.n - 1,
)
HUNDREDTH_MORE_NODES = Assumption(
    "D",
    lambda settings: f"needs D <= (1+d) n with d <= 1/100: D <= {settings.n + settings.n // 100} nodes",
    _excess_at_most(Fraction(1, 100)),
)
SMALL_EXCESS = Assumption(
    "D",
    lambda settings: (
        "needs D <= (1+d) n for a constant d < 1/100 that is small enough; how small, the paper does not "
        f"say: only D <= n = {settings.n} is certain"
    ),
    _excess_at_most(Fraction(0)),
)
LARGE_N = Assumption("n", "for n large enough; how large, the paper does not say", None)
ALGORITHM_1 = (  # with SAM, however its random numbers are drawn; the selection is a statement's own
    CARTESIAN,
    SAM,
    ONE_OFFSPRING,
    UNLIMITED_REACH,
    ANY_SINGLE_START,
    EVERY_OFFSPRING_COUNTED,
)
ON_CONJUNCTIONS = (CONJUNCTION, inputs_from(2), ENOUGH_NODES, COMPLETE_SET, *ALGORITHM_1)
ON_EXCLUSIVES = (EXCLUSIVE, inputs_from(2), ENOUGH_NODES, COMPLETE_SET, *ALGORITHM_1)


Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")

# What a formula can ask about a search, by the name of its parameter.
_ASKED: Mapping[str, Callable[[Settings], object]] = {
    "settings": lambda settings: settings,
    "n": lambda settings: settings.n,
    "nodes": _nodes,
    "strict": lambda settings: settings.strict,
    "outputs": lambda settings: settings.wanted.outputs,
    "gates": lambda settings: len(settings.gates),
    "arity": lambda settings: gate_set(settings.gates).arity,
}


@dataclass(frozen=True, eq=False)
class Statement(Generic[Arguments, Value]):
    """A theorem, lemma or bound: a number for every search that meets its assumptions.

    The decorator `statement` makes it of a formula, and it is called as the formula is.

    Attributes
    ----------
    key
        Its key in JSON.
    name
        Where it stands in the paper, or what it is.
    says
        What its number is.
    needs
        Its assumptions about a search.
    formula
        Its number, from the n, nodes, ... of a search that meets them all.
    note
        What to know along with the number.

    Examples
    --------
    >>> from gatewalk.theory.conjunctions import theorem3
    >>> theorem3.name, theorem3(2, 1)
    ('Theorem 3', 256.0)
    """

    key: str
    name: str
    says: str
    needs: tuple[Assumption, ...]
    formula: Callable[Arguments, Value]
    note: str = ""

    def __post_init__(self) -> None:
        # As functools.wraps does, so that help() and doctest see the formula.
        formula: Any = self.formula
        vars(self).update(__wrapped__=formula, **{name: getattr(formula, name) for name in _OF_FUNCTIONS})

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        return self.formula(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<Statement {self.key}: {self.name}>"

    def value(self, settings: Settings, **chosen: Any) -> Any:
        """The number for settings that meet all assumptions; a fraction becomes a float.

        The formula is given what its parameters are named after (`_ASKED`), and `chosen`.
        """
        parameters = signature(self.formula).parameters
        asked = {name: ask(settings) for name, ask in _ASKED.items() if name in parameters}
        formula: Any = self.formula
        number = formula(**asked, **chosen)
        return float(number) if isinstance(number, Fraction) else number


_OF_FUNCTIONS = ("__module__", "__name__", "__qualname__", "__doc__")


def statement(
    key: str, name: str, says: str, *, needs: Iterable[Assumption], note: str = ""
) -> Callable[[Callable[Arguments, Value]], Statement[Arguments, Value]]:
    """Make a formula a statement that asks this of a search."""

    def decorate(formula: Callable[Arguments, Value]) -> Statement[Arguments, Value]:
        return Statement(key, name, says, tuple(needs), formula, note)

    return decorate


LAWS = {"cgp": CgpLaw, "tgp-single": TgpLaw, "tgp-multi": TgpLaw}
ANY: tuple[str, ...] = ()  # every value is known: a number, or a text that the code using it checks
TAUGHT: Mapping[type, Mapping[str, tuple[str, ...]]] = {
    Settings: {
        "target": ANY,
        "algorithm": tuple(LAWS),
        "nodes": ANY,
        "selection": ("nonstrict", "strict"),
        "profile": ANY,
        "law": ANY,
        "training": ANY,
        "gates": ANY,
        "mutation": ANY,
        "offspring": ANY,
        "budget": ANY,
        "start": ANY,
        "evaluation": ("auto", "table", "symbolic", "reference"),
    },
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


def check_taught(settings: Settings) -> None:
    """Raise `InputError` if the settings contain anything that the theory was not taught.

    A setting or option that `TAUGHT` does not list must have its default, which is the paper's.
    """
    _check_fields(settings, TAUGHT[Settings], kind="setting")
    law = LAWS[settings.algorithm]
    if not isinstance(settings.law, law):
        raise InputError(f"{settings.algorithm} needs a {law.__name__}, not a {type(settings.law).__name__}")
    _check_fields(settings.law, TAUGHT[law], kind="option")
    training_rows(settings.training, settings.wanted)
    _check_rows(settings.wanted)
    if settings.mutation is not None:
        parse_mutation(settings.mutation)


def _check_fields(
    values: Settings | CgpLaw | TgpLaw, taught: Mapping[str, tuple[str, ...]], *, kind: str
) -> None:
    for field in fields(values):
        value, choices = getattr(values, field.name), taught.get(field.name)
        if choices is None:
            if value != _default(field):
                raise InputError(
                    f"the theory does not cover {kind} {field.name}; remove it, or use gatewalk evolve"
                )
        elif choices and isinstance(value, str) and value not in choices:
            what = field.name if kind == "setting" else f"{kind} {field.name}"
            raise InputError(f"the theory does not cover {what} {value!r}, only {', '.join(choices)}")


def _default(field: Field[object]) -> object:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else MISSING


def _check_rows(target: Target) -> None:
    """Refuse rows that count for some outputs only; rows that count for no output are left out anyway."""
    if target.cares is None or target.outputs == 1:
        return
    if target.inputs > MOST_INPUTS or complete(target).cares is not None:
        raise InputError(
            f"{target.label} has rows that count for some outputs only, which the theory does not cover; "
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
            f"the theory does not cover selection {settings.selection!r} with ties={settings.law.ties!r}"
        )
    return cases[case]


def picked_ends(law: CgpLaw) -> bool:
    """Whether SAM ends as soon as an active gene is picked, even if that gene cannot change."""
    cases = {"changed": False, "picked": True}
    if law.sam_ends not in cases:
        raise InputError(f"the theory does not cover option sam_ends={law.sam_ends!r}")
    return cases[law.sam_ends]
