"""What a search must meet: assumptions with a text and a check each, and statements that rest on them.

A statement is a formula with a name, decorated: `@statement("theorem3", ..., needs=THEOREM3)`. It has a
number for every search that meets its assumptions, and `unmet` is the only place where these are checked, for
the command line, for figures and for Python. An assumption that cannot be checked for a single search, such
as "n large enough", has no check; it is reported with the number.

The theory knows the searches that it was taught. When a mutation, an option or an algorithm is added
elsewhere, the proofs and the exact solver do not cover it yet; `check_taught` then says so, instead of
treating it like a case that they know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, replace
from fractions import Fraction
from inspect import signature
from typing import Any, Generic, ParamSpec, TypeVar

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.table_targets import MOST_INPUTS
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import Complete, Sample, complete
from gatewalk.cgp.cgp_search import CgpLaw, CgpSearch, Mutation, SelectionRule, Ties
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.cgp.operators import own_operators
from gatewalk.errors import InputError
from gatewalk.search.options import Search
from gatewalk.tgp.tgp_search import TgpLaw, TgpSearch

OF_PROFILES = ("mutation", "selection", "reach", "start", "counting")  # subjects that a profile can decide


@dataclass(frozen=True)
class Assumption:
    """Something that a statement, or a measurement, asks of a search.

    about: the part of the search that it is about: "target", "gates", "algorithm", "mutation", "lambda",
        "selection", "training", "reach", "start", "counting", "n", "D" or "size" (of the chain to be solved).
    words: the assumption as a text, or a function that returns the text for a search.
    holds: whether a search meets it; None if that cannot be decided for a single one.
    """

    about: str
    words: str | Callable[[Search], str]
    holds: Callable[[Search], bool] | None

    def words_for(self, search: Search) -> str:
        """The assumption as a text, for this search."""
        return self.words if isinstance(self.words, str) else self.words(search)


def unmet(assumptions: Iterable[Assumption], search: Search) -> tuple[Assumption, ...]:
    """The assumptions that a search does not meet, in the given order.

    After an unmet assumption about the target or the gates, the following ones are not checked: they would be
    about another search.
    """
    failed: list[Assumption] = []
    for assumption in assumptions:
        if assumption.holds is not None and not assumption.holds(search):
            failed.append(assumption)
            if assumption.about in ("target", "gates"):
                break
    return tuple(failed)


def why_not(assumptions: Iterable[Assumption], search: Search) -> str:
    """The unmet assumptions as one text, each preceded by what it is about; empty if all are met."""
    failed = unmet(assumptions, search)
    words = "; ".join(f"{assumption.about}: {assumption.words_for(search)}" for assumption in failed)
    if search.profile != "paper" and any(assumption.about in OF_PROFILES for assumption in failed):
        words += "; --profile paper is as the proofs need it"
    return words


def require(assumptions: Iterable[Assumption], search: Search) -> None:
    """Raise `InputError` with the words of the first assumption that a search does not meet."""
    for assumption in unmet(assumptions, search):
        raise InputError(assumption.words_for(search))


def nodes_of(search: Search) -> int:
    """D; trees have no nodes."""
    return search.nodes if isinstance(search, CgpSearch) else 0


def mutation_of(search: Search) -> Mutation | None:
    """The mutation; None for trees."""
    return search.mutation if isinstance(search, CgpSearch) else None


def starts_at_random(search: Search) -> bool:
    """Whether the first parent is random; that of trees always is."""
    return isinstance(search, TgpSearch) or search.start is None


def is_pure(search: Search, *families: str) -> bool:
    """Whether the target is of one of these families, such as and:N, and the only gate that of the family."""
    return search.target.family in families and search.gates == gate_set(search.target.family)


def of_family(family: str, *, dual: str = "") -> Assumption:
    """The target is family:N and the only gate that of the family. dual: a family that behaves the same."""

    def words(search: Search) -> str:
        hint = f"; by duality {dual}:N with gates {dual} behaves as {family}:N"
        return f"needs {family}:N with gates {family}" + (hint if search.target.family == dual else "")

    return Assumption("target", words, lambda search: is_pure(search, family))


def inputs_from(least: int, *, because: str = "") -> Assumption:
    """n is at least this."""
    return Assumption("n", f"needs n >= {least} inputs{because}", lambda search: search.n >= least)


def inputs_to(most: int, *, because: str = "") -> Assumption:
    """n is at most this."""
    return Assumption("n", f"needs n <= {most} inputs{because}", lambda search: search.n <= most)


def nodes_from(least: int) -> Assumption:
    """D is at least this."""
    return Assumption("D", f"needs D >= {least} nodes", lambda search: nodes_of(search) >= least)


def nodes_to(most: int, *, because: str = "") -> Assumption:
    """D is at most this."""
    return Assumption("D", f"needs D <= {most} nodes{because}", lambda search: nodes_of(search) <= most)


# The checks below let trees pass: the assumption CARTESIAN is the one that they do not meet.
def _is_paper_sam(search: Search) -> bool:
    if isinstance(search, TgpSearch):
        return True
    return isinstance(search.mutation, Sam) and search.law.sam_ends == "changed"


def _reaches_everything(search: Search) -> bool:
    """Whether every node can read all inputs and all nodes before it."""
    if isinstance(search, TgpSearch):
        return True
    law, nodes = search.law, search.nodes
    back = nodes if law.levels_back == "nodes" else law.levels_back
    farthest = nodes - 1 if law.levels_over == "columns" else search.n + nodes - 1
    return law.rows == 1 and (back is None or back >= farthest)


def _excess_at_most(most: Fraction) -> Callable[[Search], bool]:
    return lambda search: nodes_of(search) <= (1 + most) * search.n


CONJUNCTION = of_family("and", dual="or")
EXCLUSIVE = of_family("xor")
CARTESIAN = Assumption(
    "algorithm", "needs Cartesian GP: --algorithm cgp", lambda search: isinstance(search, CgpSearch)
)
SAM = Assumption("mutation", "needs --mutation sam with sam_ends=changed", _is_paper_sam)
ONE_OFFSPRING = Assumption("lambda", "needs --lambda 1", lambda search: search.offspring == 1)
STRICT = Assumption("selection", "needs --selection strict", lambda search: search.strict)
NONSTRICT = Assumption(
    "selection",
    "needs --selection nonstrict with ties=accept",
    lambda search: search.selection == "nonstrict" and search.law.ties == "accept",
)
EITHER_SELECTION = Assumption(
    "selection",
    "needs --selection strict, or nonstrict with ties=accept",
    lambda search: search.strict or (search.selection == "nonstrict" and search.law.ties == "accept"),
)
COMPLETE_SET = Assumption(
    "training",
    "needs the complete set: --training complete",
    lambda search: isinstance(search.training, Complete),
)
UNLIMITED_REACH = Assumption(
    "reach",
    "needs nodes that can read all before them: no levels_back, rows=1",
    _reaches_everything,
)
ONE_START = Assumption(
    "start",
    "needs one uniform random start: --start random with starts=1",
    lambda search: search.law.starts == 1 and starts_at_random(search),
)
ANY_SINGLE_START = Assumption("start", "needs one start: starts=1", lambda search: search.law.starts == 1)
EVERY_OFFSPRING_COUNTED = Assumption(
    "counting",
    "needs every offspring counted: uncounted=0",
    lambda search: search.law.uncounted == 0,
)
ENOUGH_NODES = Assumption(
    "D",
    lambda search: f"needs D >= n - 1 = {search.n - 1} nodes",
    lambda search: nodes_of(search) >= search.n - 1,
)
FEWEST_NODES = Assumption(
    "D",
    lambda search: f"needs D = n - 1 = {search.n - 1} nodes",
    lambda search: nodes_of(search) == search.n - 1,
)
HUNDREDTH_MORE_NODES = Assumption(
    "D",
    lambda search: f"needs D <= (1+d) n with d <= 1/100: D <= {search.n + search.n // 100} nodes",
    _excess_at_most(Fraction(1, 100)),
)
SMALL_EXCESS = Assumption(
    "D",
    lambda search: (
        "needs D <= (1+d) n for a constant d < 1/100 that is small enough; how small, the paper does not "
        f"say: only D <= n = {search.n} is certain"
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
_ASKED: Mapping[str, Callable[[Search], object]] = {
    "search": lambda search: search,
    "n": lambda search: search.n,
    "nodes": nodes_of,
    "strict": lambda search: search.strict,
    "outputs": lambda search: search.target.outputs,
    "gates": lambda search: len(search.gates),
    "arity": lambda search: search.gates.arity,
}


@dataclass(frozen=True, eq=False)
class Statement(Generic[Arguments, Value]):
    """A theorem, lemma or bound: a number for every search that meets its assumptions.

    The decorator `statement` makes it of a formula, and it is called as the formula is.

    key, name: its key in JSON, and where it stands in the paper or what it is.
    says: what its number is.
    needs: its assumptions about a search.
    formula: its number, from the n, nodes, ... of a search that meets them all.
    note: what to know along with the number.

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

    def value(self, search: Search, **chosen: Any) -> Any:
        """The number for a search that meets all assumptions; a fraction becomes a float.

        The formula is given what its parameters are named after (`_ASKED`), and `chosen`.
        """
        parameters = signature(self.formula).parameters
        asked = {name: ask(search) for name, ask in _ASKED.items() if name in parameters}
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


LAWS: Mapping[type, type] = {CgpSearch: CgpLaw, TgpSearch: TgpLaw}
ANY: tuple[str, ...] = ()  # every value is known: a number, or a value that the code using it checks
TAUGHT: Mapping[type, Mapping[str, tuple[str, ...]]] = {
    CgpSearch: {
        "target": ANY,
        "gates": ANY,
        "nodes": ANY,
        "mutation": ANY,
        "selection": ("nonstrict", "strict"),
        "offspring": ANY,
        "training": ANY,
        "start": ANY,
        "profile": ANY,
        "law": ANY,
        "budget": ANY,
        "evaluation": ("auto", "table", "symbolic", "reference"),
    },
    TgpSearch: {
        "target": ANY,
        "gates": ANY,
        "steps": ("single", "multi"),
        "selection": ("nonstrict", "strict"),
        "offspring": ANY,
        "training": ANY,
        "profile": ANY,
        "law": ANY,
        "budget": ANY,
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


def check_taught(search: Search) -> None:
    """Raise `InputError` if a search has anything that the theory was not taught.

    A setting or option that `TAUGHT` does not list must have its default, which is the paper's.
    """
    if isinstance(search, CgpSearch) and (own := own_operators(search)):
        raise InputError(
            f"of {own[0].kind} {own[0]}, which is not one of Gatewalk's, only exact times are known: "
            "use gatewalk exact"
        )
    _check_taught(search)


def is_taught(search: Search) -> bool:
    """Whether the proofs know everything that a search has."""
    try:
        check_taught(search)
    except InputError:
        return False
    return True


def check_solvable(search: Search) -> None:
    """Raise `InputError` if a search has anything that exact times do not know.

    They know more than the proofs: every mutation and selection, those that users write included.
    """
    if isinstance(search, CgpSearch):
        search = replace(search, mutation=Sam())
        if not isinstance(search.selection, str):
            search = replace(search, selection="nonstrict")
    _check_taught(search)


def _check_taught(search: Search) -> None:
    for kind, law in LAWS.items():
        if isinstance(search, kind):
            _check_fields(search, TAUGHT[kind], kind="setting")
            if not isinstance(search.law, law):
                given = type(search.law).__name__
                raise InputError(f"{search.algorithm} needs a {law.__name__}, not a {given}")
            _check_fields(search.law, TAUGHT[law], kind="option")
            break
    else:
        known = "only cgp, tgp-single, tgp-multi"
        raise InputError(f"the theory does not cover algorithm {search.algorithm!r}, {known}")
    if not isinstance(search.training, Complete | Sample):
        raise InputError(
            f"the theory does not cover training {str(search.training)!r}, only complete, sample"
        )
    _check_rows(search.target)


def _check_fields(
    values: Search | CgpLaw | TgpLaw, taught: Mapping[str, tuple[str, ...]], *, kind: str
) -> None:
    for field in fields(values):
        value, choices = getattr(values, field.name), taught.get(field.name)
        if choices is None:
            if value != _default(field):
                raise InputError(
                    f"the theory does not cover {kind} {field.name}; remove it, or use gatewalk evolve"
                )
        elif choices and isinstance(value, str | SelectionRule) and value not in choices:
            what = field.name if kind == "setting" else f"{kind} {field.name}"
            raise InputError(f"the theory does not cover {what} {str(value)!r}, only {', '.join(choices)}")


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


def tie_acceptance(search: Search) -> float:
    """The probability that one equally fit offspring becomes the parent."""
    if isinstance(search.selection, Ties):
        return search.selection.probability
    cases = {
        ("strict", "accept"): 0.0,
        ("strict", "coin"): 0.0,
        ("nonstrict", "accept"): 1.0,
        ("nonstrict", "coin"): 0.5,
    }
    case = (search.selection, search.law.ties)
    if case not in cases:
        raise InputError(
            f"the theory does not cover selection {str(search.selection)!r} with ties={search.law.ties!r}"
        )
    return cases[case]


def picked_ends(law: CgpLaw) -> bool:
    """Whether SAM ends as soon as an active gene is picked, even if that gene cannot change."""
    cases = {"changed": False, "picked": True}
    if law.sam_ends not in cases:
        raise InputError(f"the theory does not cover option sam_ends={law.sam_ends!r}")
    return cases[law.sam_ends]
