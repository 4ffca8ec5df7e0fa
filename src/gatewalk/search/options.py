"""The table of options: how each setting of a search is written, read, stored and shown.

There is no other list of settings anywhere. Flags, keys of TOML and keywords of Python are all read by
`search_for`; the hash that seeds a run, the columns of stores and exports, and the labels of cells follow
from the table too. To add a setting, add a field to `CgpSearch` or `TgpSearch`, an entry here, and its type
in `Words`.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Any, Literal, TypedDict, TypeVar, Unpack

from gatewalk.boolean.gates import Gate, GateSet
from gatewalk.boolean.training import Complete, Sample
from gatewalk.cgp.cgp_search import CgpSearch, Evaluation, Mutation, Profile, Selection
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError, shown
from gatewalk.search import reading
from gatewalk.search.columns import Column
from gatewalk.search.reading import LAWS, Read, one_of
from gatewalk.tgp.tgp_search import TgpSearch

Search = CgpSearch | TgpSearch
F = TypeVar("F", bound=Callable[..., Any])
Algorithm = Literal["cgp", "tgp-single", "tgp-multi"]
ALGORITHMS: tuple[str, ...] = tuple(LAWS)
EVALUATIONS = ("auto", "table", "symbolic", "reference")
PROFILE_NAMES = ("paper", "tinyverse")


class Words(TypedDict, total=False):
    """The settings of a search as a user writes them: in words, or as the values that words stand for."""

    algorithm: Algorithm
    nodes: int | str | None
    selection: Selection  # also the text of any; but so a type checker sees misspelt words
    profile: Profile
    options: Mapping[str, object] | None
    training: str | Complete | Sample
    gates: str | Sequence[str | Gate] | GateSet | None
    mutation: str | Mutation
    offspring: int | None
    budget: int | float | None
    start: str | Circuit | Sequence[int]
    evaluation: Evaluation


@dataclass(frozen=True, kw_only=True)
class Option:
    """A setting as users meet it.

    read: turns what a user wrote into the value in the search, given the values of the options before it by
        name; raises `InputError` if it is wrong.
    default: what is read if the user wrote nothing.
    types: the types that may be written in TOML: a whole number, a text or both.
    flag, keyword: its name on the command line and in TOML, and in Python, if it differs from its name here.
    metavar, help: its line in `--help`.
    is_of_program: whether it describes the program, so that `exact` and `bounds` take it too, or only the
        search.
    is_for_trees: whether trees have it; if not, its columns are null for them, whatever was written.
    identity: the key and the value by which it enters the hash that seeds runs; None if it only changes how
        far a run goes, or how fast.
    columns: its columns in stores and exports, each with its value.
    label: how the label of a cell shows the first of its columns, as in "nodes={}"; "" if it does not.
    """

    read: Read
    default: Any
    types: tuple[type, ...] = (str,)
    flag: str = ""
    keyword: str = ""
    metavar: str = ""
    help: str = ""
    is_of_program: bool = False
    is_for_trees: bool = True
    identity: tuple[str, Callable[[Any], Any]] | None = None
    columns: tuple[tuple[Column, Callable[[Any], Any]], ...] = ()
    label: str = ""


def _text(name: str, meaning: str, value: Callable[[Any], str], *, optional: bool = False) -> Any:
    return Column(name=name, kind="text", optional=optional, meaning=meaning), value


def _count(name: str, meaning: str, value: Callable[[Any], int], *, optional: bool = False) -> Any:
    return Column(name=name, kind="count", optional=optional, meaning=meaning), value


def changed_options(search: Search) -> dict[str, Any]:
    """The fields of the search's law that differ from those of its profile."""
    profile = LAWS[search.algorithm][search.profile]
    if search.law == profile:
        return {}
    usual = asdict(profile)
    return {name: value for name, value in asdict(search.law).items() if value != usual[name]}


def start_text(search: Search) -> str:
    """How the search begins: random, or the genes of its first parent."""
    if isinstance(search, TgpSearch) or search.start is None:
        return "random"
    from gatewalk.search.start import genes_text

    return genes_text(search.start)


def identity_of(operator: object) -> str:
    """How an operator enters the hash that seeds runs: with the digest of its function if a user wrote it."""
    return str(getattr(operator, "identity", operator))


OPTIONS = {
    "target": Option(
        read=reading.read_target,
        default=None,
        identity=("target", lambda search: search.target.content),
        columns=(
            _text("target", "What was searched for.", lambda search: search.target.name),
            _count("n", "Inputs of the target.", lambda search: search.target.inputs),
        ),
    ),
    "algorithm": Option(
        read=one_of("algorithm", ALGORITHMS),
        default="cgp",
        metavar="|".join(ALGORITHMS),
        help="Cartesian GP, or tree GP with one or with several mutation steps per offspring.",
        identity=("algorithm", lambda search: search.algorithm),
        columns=(_text("algorithm", "`cgp`, `tgp-single` or `tgp-multi`.", lambda search: search.algorithm),),
        label="{}",
    ),
    "nodes": Option(
        read=reading.read_nodes,
        default=None,
        types=(str, int),
        metavar="D",
        help="Number of nodes, or an expression: 2n, 3n+1, n^2.5; default: 2n, in evolve by target.",
        is_of_program=True,
        is_for_trees=False,
        identity=("nodes", lambda search: search.nodes),
        columns=(
            _count(
                "nodes", "Nodes of a program; null for trees.", lambda search: search.nodes, optional=True
            ),
        ),
        label="nodes={}",
    ),
    "selection": Option(
        read=reading.read_selection,
        default="nonstrict",
        metavar="nonstrict|strict|ties:P|FILE:NAME",
        help="nonstrict also accepts offspring as fit as the parent; strict only fitter ones; ties:P "
        "equally fit ones with probability P; or a function in a file of yours.",
        is_of_program=True,
        identity=("selection", lambda search: identity_of(search.selection)),
        columns=(
            _text(
                "selection",
                "`nonstrict`, `strict`, `ties:P`, or the name of one of your own.",
                lambda search: str(search.selection),
            ),
        ),
        label="{}",
    ),
    "profile": Option(
        read=one_of("profile", PROFILE_NAMES),
        default="paper",
        metavar="|".join(PROFILE_NAMES),
        help="paper: Algorithms 1-3 to the letter; tinyverse: as the published experiments were run.",
        is_of_program=True,
        columns=(_text("profile", "`paper` or `tinyverse`.", lambda search: search.profile),),
        label="{}",
    ),
    "law": Option(
        read=reading.read_law,
        default=None,
        types=(dict,),
        keyword="options",
        identity=("law", lambda search: asdict(search.law)),
        columns=(
            _text(
                "law_options",
                "Options that differ from the profile's, as a JSON object.",
                lambda search: json.dumps(changed_options(search), sort_keys=True),
            ),
        ),
        label="{}",
    ),
    "training": Option(
        read=reading.read_training,
        default="complete",
        metavar="complete|sample[:ROWS]",
        help="All 2^n rows, or rows drawn for each run; sample means n^1.3 rows, rounded up.",
        identity=("rows", lambda search: search.rows),
        columns=(
            _text("training", "`complete`, `sample` or `sample:ROWS`.", lambda search: str(search.training)),
        ),
        label="{}",
    ),
    "gates": Option(
        read=reading.read_gates,
        default=None,
        metavar="and,or,...",
        help="Gates to choose from, or a .genlib file; default: the target's own minimal set.",
        is_of_program=True,
        identity=("gates", lambda search: [gate.content for gate in search.gates.gates]),
        columns=(_text("gate_set", "The gates to choose from.", lambda search: str(search.gates)),),
        label="{}",
    ),
    "mutation": Option(
        read=reading.read_mutation,
        default="sam",
        metavar="sam|point:K|rate:P|FILE:NAME",
        help="For cgp: SAM, K genes, or each gene with probability P; point:1% and rate:1% work too; "
        "or a function in a file of yours.",
        is_for_trees=False,
        identity=("mutation", lambda search: identity_of(search.mutation)),
        columns=(
            _text(
                "mutation",
                "`sam`, `point:K`, `rate:P`, or the name of one of your own; null for trees.",
                lambda search: str(search.mutation),
                optional=True,
            ),
        ),
        label="{}",
    ),
    "offspring": Option(
        read=reading.count_of("lambda", "offspring", least=1),
        default=None,
        types=(int,),
        flag="lambda",
        metavar="L",
        help="Offspring per generation; default: 1 for and, or, xor etc., else what works best.",
        identity=("offspring", lambda search: search.offspring),
        columns=(
            _count("offspring", "Offspring in a generation: `--lambda`.", lambda search: search.offspring),
        ),
        label="lambda={}",
    ),
    "budget": Option(
        read=reading.count_of("budget", "budget", least=0),
        default=None,
        types=(int,),
        metavar="ITERATIONS",
        help="Iterations after which a run gives up; default: a million, more for hard targets.",
        columns=(
            _count("budget", "Iterations after which a run is given up.", lambda search: search.budget),
        ),
        label="budget={}",
    ),
    "start": Option(
        read=reading.read_start,
        default="random",
        metavar="random|penultimate|near-optimum|FILE",
        help="Where to begin: at random, at Theorem 4's program (penultimate, D = n-1), at one "
        "that lacks an input (near-optimum, for xor:N), or at the circuit or genes in FILE.",
        identity=("start", start_text),
        columns=(_text("start", "`random`, or the genes that the run began from.", start_text),),
        label="{}",
    ),
    "evaluation": Option(
        read=one_of("evaluation", EVALUATIONS),
        default="auto",
        metavar="|".join(EVALUATIONS),
        help="How to compute fitness; it changes the speed, not the runs.",
    ),
}
LAW_OPTIONS = {field.name for laws in LAWS.values() for law in laws.values() for field in fields(law)}
KEYWORDS = {option.keyword or name: name for name, option in OPTIONS.items()}
SEED = Column(name="seed", kind="count", meaning="The seed, from which each run draws by its number.")
CELL_COLUMNS = (*(column for option in OPTIONS.values() for column, _ in option.columns), SEED)


def shows_words(function: F) -> F:
    """Decorate a function that takes `**words`: `help` then shows every word with its default."""
    own, types = (
        signature(function),
        {word: hint.__forward_arg__ for word, hint in Words.__annotations__.items()},
    )
    parameters = [
        parameter for parameter in own.parameters.values() if parameter.kind != Parameter.VAR_KEYWORD
    ]
    parameters += [
        Parameter(keyword, Parameter.KEYWORD_ONLY, default=OPTIONS[name].default, annotation=types[keyword])
        for keyword, name in KEYWORDS.items()
        if keyword != "target"
    ]
    function.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    return function


@shows_words
def search_for(target: object, **words: Unpack[Words]) -> Search:
    """The search for a target that these words describe, every one of them checked.

    A word may also be the value that it stands for: `mutation="point:3"` or `mutation=gw.Point(3)`. An option
    of the law may be a word of its own: `ties="coin"` is `options={"ties": "coin"}`. What is wrong raises
    `InputError`, which says what is possible. A search stands for itself.

    >>> search = search_for("and:8", nodes="3n+1", selection="strict")
    >>> search.nodes, str(search.mutation), search.budget
    (25, 'sam', 1000000)
    """
    if isinstance(target, (CgpSearch, TgpSearch)):
        if words:
            raise InputError(f"a search takes no further words; remove {', '.join(words)}")
        return target
    written = {**gathered(words), "target": target}
    values: dict[str, Any] = {}
    for keyword, name in KEYWORDS.items():
        option = OPTIONS[name]
        if option.is_for_trees or values["algorithm"] == "cgp":
            try:
                values[name] = option.read(written.get(keyword, option.default), values)
            except InputError as error:
                error.option = error.option or name
                raise
    algorithm, start = values.pop("algorithm"), values.pop("start")
    if algorithm == "cgp":
        return CgpSearch(**values, start=start)
    reading.check_tree_mutation(written.get("mutation"))
    return TgpSearch(**values, steps=algorithm.removeprefix("tgp-"))


@shows_words
def settings(target: object, **words: Unpack[Words]) -> Search:
    """The name of `search_for` in 0.2, for one version.

    >>> settings("and:8").nodes  # doctest: +SKIP
    16
    """
    warnings.warn("settings is now called search_for", DeprecationWarning, stacklevel=2)
    return search_for(target, **words)


def gathered(words: Mapping[str, Any], *, also: tuple[str, ...] = ()) -> dict[str, Any]:
    """Words of Python, checked to be settings, with all options of the law under `options`.

    also: further words that are allowed.

    >>> gathered({"nodes": "2n", "ties": "coin", "options": {"starts": 2}})
    {'nodes': '2n', 'options': {'starts': 2, 'ties': 'coin'}}
    """
    own = {name: value for name, value in words.items() if name in LAW_OPTIONS}
    others = {name: value for name, value in words.items() if name not in own}
    known = [*KEYWORDS, *also]
    if "observer" in others:
        raise InputError("an observer watches runs of run_many and evolve; it is no setting of a search")
    for keyword in others:
        if keyword not in known:
            raise InputError(
                f"unknown setting {shown(keyword)}; {_meant(keyword)}choose from {', '.join(known)}"
            )
    if own:
        given = others.get("options") or {}
        reading.check_options(given)
        others["options"] = {**given, **own}
    return others


def _meant(keyword: str) -> str:
    """What the user may have meant: a setting of a similar name, in Python or on the command line."""
    names = {word: word for word in KEYWORDS} | {
        other: word for word, name in KEYWORDS.items() for other in (name, OPTIONS[name].flag) if other
    }
    near = get_close_matches(keyword.strip("_"), names, 1)
    return f"did you mean {names[near[0]]}? " if near else ""


def cell_values(search: Search, seed: int) -> dict[str, Any]:
    """The values of `CELL_COLUMNS`, by name, which all runs of a search under this seed share."""
    values = {
        column.name: value(search) if _has(search, option) else None
        for option in OPTIONS.values()
        for column, value in option.columns
    }
    return values | {SEED.name: seed}


def law_text(search: Search) -> str:
    """Everything that determines a run besides its seed and number, as canonical JSON.

    Budget and evaluation are left out, since they only change how far a run goes and how fast.
    """
    identities = ((option, *option.identity) for option in OPTIONS.values() if option.identity)
    values = {key: value(search) if _has(search, option) else None for option, key, value in identities}
    return json.dumps(values, sort_keys=True, separators=(",", ":"))


def _has(search: Search, option: Option) -> bool:
    return option.is_for_trees or isinstance(search, CgpSearch)
