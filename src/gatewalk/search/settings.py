"""All that determines a search, checked and resolved once: `settings("and:8", nodes="2n")`.

Every field of `Settings` has an `Option`, which says how it is written, what it must be, whether it
determines a run, and how it is stored and shown. There is no other list of settings anywhere.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from inspect import Parameter, Signature
from typing import Any

from gatewalk.boolean.gates import gate
from gatewalk.boolean.targets import Target, label_of
from gatewalk.cgp.law import PROFILES as CGP_PROFILES
from gatewalk.cgp.law import CgpLaw
from gatewalk.circuit.own_targets import target_from_text
from gatewalk.errors import InputError, shown
from gatewalk.search.options import Column, Option, described, one_of, options_of, text_of
from gatewalk.search.reading import LAWS as LAWS
from gatewalk.search.reading import (
    count_of,
    resolve_gate_names,
    resolve_law,
    resolve_mutation,
    resolve_nodes,
    resolve_start,
    resolve_target_name,
    resolve_training,
)
from gatewalk.search.reading import training_rows as training_rows
from gatewalk.tgp.law import TgpLaw

ALGORITHMS = tuple(LAWS)
SELECTIONS = ("nonstrict", "strict")
EVALUATIONS = ("auto", "table", "symbolic", "reference")
PROFILE_NAMES = tuple(CGP_PROFILES)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that determines a search except its seed; `settings` makes and checks it.

    Attributes
    ----------
    target
        What is searched for, as its name.
    algorithm
        "cgp", "tgp-single" or "tgp-multi".
    nodes
        The number of nodes of a program; None for trees.
    selection
        "nonstrict", which accepts ties, or "strict".
    profile
        "paper" or "tinyverse".
    law
        Every option of the profile, with single ones changed.
    training
        "complete", "sample" or "sample:ROWS".
    gates
        The gates to choose from.
    mutation
        "sam", "point:K" or "rate:P"; None for trees.
    offspring
        Offspring in each generation, λ.
    budget
        The iterations after which a run is given up.
    start
        "random", or the genes to begin from, as text.
    evaluation
        How fitness is computed; it does not change the runs.

    Examples
    --------
    >>> import gatewalk as gw
    >>> search = gw.settings("and:8", nodes="2n")
    >>> search.n, search.nodes, search.selection, search.gates
    (8, 16, 'nonstrict', ('and',))
    """

    target: str = field(
        metadata=described(
            Option(
                resolve=resolve_target_name,
                default=None,
                law="target",
                columns=(
                    Column(name="target", kind="text", meaning="What was searched for."),
                    Column(name="n", kind="count", meaning="Inputs of the target."),
                ),
            )
        )
    )
    algorithm: str = field(
        metadata=described(
            Option(
                resolve=one_of("algorithm", ALGORITHMS),
                default="cgp",
                metavar="|".join(ALGORITHMS),
                help="Cartesian GP, or tree GP with one or with several mutation steps per offspring.",
                law="algorithm",
                columns=(
                    Column(name="algorithm", kind="text", meaning="`cgp`, `tgp-single` or `tgp-multi`."),
                ),
                label="{}",
            )
        )
    )
    nodes: int | None = field(
        metadata=described(
            Option(
                resolve=resolve_nodes,
                default=None,
                types=(str, int),
                metavar="D",
                help="Number of nodes, or an expression: 2n, 3n+1, n^2; default: 2n, in evolve by target.",
                is_of_program=True,
                is_for_trees=False,
                law="nodes",
                columns=(
                    Column(
                        name="nodes",
                        kind="count",
                        optional=True,
                        meaning="Nodes of a program; null for trees.",
                    ),
                ),
                label="nodes={}",
            )
        )
    )
    selection: str = field(
        metadata=described(
            Option(
                resolve=one_of("selection", SELECTIONS),
                default="nonstrict",
                metavar="|".join(SELECTIONS),
                help="nonstrict also accepts offspring as fit as the parent; strict only fitter ones.",
                is_of_program=True,
                law="selection",
                columns=(Column(name="selection", kind="text", meaning="`nonstrict` or `strict`."),),
                label="{}",
            )
        )
    )
    profile: str = field(
        metadata=described(
            Option(
                resolve=one_of("profile", PROFILE_NAMES),
                default="paper",
                metavar="|".join(PROFILE_NAMES),
                help="paper: Algorithms 1-3 to the letter; tinyverse: as the published experiments were run.",
                is_of_program=True,
                columns=(Column(name="profile", kind="text", meaning="`paper` or `tinyverse`."),),
                label="{}",
            )
        )
    )
    law: CgpLaw | TgpLaw = field(
        metadata=described(
            Option(
                resolve=resolve_law,
                default=None,
                types=(dict,),
                keyword="options",
                law="law",
                columns=(
                    Column(
                        name="law_options",
                        kind="text",
                        meaning="Options that differ from the profile's, as a JSON object.",
                    ),
                ),
                label="{}",
            )
        )
    )
    training: str = field(
        metadata=described(
            Option(
                resolve=text_of("training", "sample:100", resolve_training),
                default="complete",
                metavar="complete|sample[:ROWS]",
                help="All 2^n rows, or rows drawn for each run; sample means n^1.3 rows, rounded up.",
                law="rows",
                columns=(
                    Column(name="training", kind="text", meaning="`complete`, `sample` or `sample:ROWS`."),
                ),
                label="{}",
            )
        )
    )
    gates: tuple[str, ...] = field(
        metadata=described(
            Option(
                resolve=resolve_gate_names,
                default=None,
                metavar="and,or,...",
                help="Gates to choose from, or a .genlib file; default: the target's own minimal set.",
                is_of_program=True,
                law="gates",
                columns=(Column(name="gate_set", kind="text", meaning="The gates to choose from."),),
                label="{}",
            )
        )
    )
    mutation: str | None = field(
        metadata=described(
            Option(
                resolve=text_of("mutation", "point:3", resolve_mutation),
                default="sam",
                metavar="sam|point:K|rate:P",
                help="For cgp: SAM, K genes, or each gene with probability P; point:1% and rate:1% work too.",
                is_for_trees=False,
                law="mutation",
                columns=(
                    Column(
                        name="mutation",
                        kind="text",
                        optional=True,
                        meaning="`sam`, `point:K` or `rate:P`; null for trees.",
                    ),
                ),
                label="{}",
            )
        )
    )
    offspring: int = field(
        metadata=described(
            Option(
                resolve=count_of("lambda", "offspring", least=1),
                default=None,
                types=(int,),
                flag="lambda",
                metavar="L",
                help="Offspring per generation; default: 1 for and, or, xor etc., else what works best.",
                law="offspring",
                columns=(
                    Column(name="offspring", kind="count", meaning="Offspring in a generation: `--lambda`."),
                ),
                label="lambda={}",
            )
        )
    )
    budget: int = field(
        metadata=described(
            Option(
                resolve=count_of("budget", "budget", least=0),
                default=None,
                types=(int,),
                metavar="ITERATIONS",
                help="Iterations after which a run gives up; default: a million, more for hard targets.",
                columns=(
                    Column(name="budget", kind="count", meaning="Iterations after which a run is given up."),
                ),
                label="budget={}",
            )
        )
    )
    start: str = field(
        metadata=described(
            Option(
                resolve=resolve_start,
                default="random",
                metavar="random|penultimate|near-optimum|FILE",
                help="Where to begin: at random, at Theorem 4's program (penultimate, D = n-1), at one "
                "that lacks an input (near-optimum, for xor:N), or at the circuit or genes in FILE.",
                law="start",
                columns=(
                    Column(
                        name="start", kind="text", meaning="`random`, or the genes that the run began from."
                    ),
                ),
                label="{}",
            )
        )
    )
    evaluation: str = field(
        metadata=described(
            Option(
                resolve=one_of("evaluation", EVALUATIONS),
                default="auto",
                metavar="|".join(EVALUATIONS),
                help="How to compute fitness; it changes the speed, not the runs.",
            )
        )
    )

    @property
    def strict(self) -> bool:
        return self.selection == "strict"

    @property
    def wanted(self) -> Target:
        """The target itself."""
        return target_from_text(self.target)

    @property
    def label(self) -> str:
        """The name of the target for readers."""
        return label_of(self.target)

    @property
    def n(self) -> int:
        """The number of inputs of the target."""
        return self.wanted.inputs

    @property
    def rows(self) -> int | None:
        """The number of rows of a sampled training set; None for the complete one."""
        return training_rows(self.training, self.wanted)

    @property
    def gate_set(self) -> str:
        """The gates as one text."""
        return ",".join(self.gates)

    @property
    def options(self) -> dict[str, Any]:
        """The fields of the law that differ from the profile's."""
        profile = LAWS[self.algorithm][self.profile]
        if self.law == profile:
            return {}
        usual = asdict(profile)
        return {name: value for name, value in asdict(self.law).items() if value != usual[name]}

    @property
    def law_options(self) -> str:
        """These fields as one text, in JSON."""
        return json.dumps(self.options, sort_keys=True)


OPTIONS = options_of(Settings)
KEYWORDS = {option.keyword or name: name for name, option in OPTIONS.items()}  # of `settings`
SEED = Column(name="seed", kind="count", meaning="The seed, from which each run draws by its number.")
CELL_COLUMNS = (*(column for option in OPTIONS.values() for column in option.columns), SEED)


def settings(target: object, **options: Any) -> Settings:
    """Check and resolve what determines a search.

    Parameters
    ----------
    target
        What to search for: a name such as "and:8", or whatever `gatewalk.target` takes.
    **options
        The other fields of `Settings` as a user writes them, each by its name: `algorithm`, `nodes` (a number
        or an expression in n), `selection`, `profile`, `options` (single fields of the law), `training`,
        `mutation`, `offspring`, `gates`, `budget`, `start`, `evaluation`.

    Returns
    -------
    Settings
        Every field resolved.

    Raises
    ------
    InputError
        Says what is wrong and what is possible.

    Examples
    --------
    >>> settings("and:8", nodes="3n+1", selection="strict").nodes
    25
    """
    for keyword in options:
        if keyword not in KEYWORDS or keyword == "target":
            near = get_close_matches(keyword, KEYWORDS, 1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise InputError(f"unknown setting {shown(keyword)}; {hint}choose from {', '.join(KEYWORDS)}")
    written = {**options, "target": target}
    resolved: dict[str, Any] = {}
    for keyword, name in KEYWORDS.items():
        option = OPTIONS[name]
        if option.is_for_trees or resolved["algorithm"] == "cgp":
            try:
                resolved[name] = option.resolve(written.get(keyword, option.default), resolved)
            except InputError as error:
                error.option = error.option or name
                raise
        else:
            resolved[name] = None
    complete = Settings(**resolved)
    _check_together(complete)
    return complete


# The signature that `help(settings)` shows, with the default of every option.
settings.__signature__ = Signature(  # type: ignore[attr-defined]
    [Parameter("target", Parameter.POSITIONAL_OR_KEYWORD)]
    + [
        Parameter(keyword, Parameter.KEYWORD_ONLY, default=OPTIONS[name].default)
        for keyword, name in KEYWORDS.items()
        if keyword != "target"
    ],
    return_annotation="Settings",
)


def _check_together(settings: Settings) -> None:
    """Raise `InputError` for settings that are each allowed, but not together."""
    if isinstance(settings.law, CgpLaw):
        is_drawn = settings.law.waiting == "drawn"
        if is_drawn and (settings.mutation != "sam" or settings.offspring != 1 or not settings.strict):
            raise InputError(
                "option waiting=drawn is for --selection strict, --mutation sam and --lambda 1",
                option="law.waiting",
            )
    elif settings.wanted.outputs != 1:
        outputs = settings.wanted.outputs
        raise InputError(
            f"{settings.label} has {outputs} outputs, but trees have one; use --algorithm cgp",
            option="algorithm",
        )


def cell_values(settings: Settings, seed: int) -> dict[str, Any]:
    """The values of `CELL_COLUMNS`, by name, which all runs with these settings and this seed share."""
    values = {column.name: getattr(settings, column.name) for column in CELL_COLUMNS if column is not SEED}
    return values | {SEED.name: seed}


def law_text(settings: Settings) -> str:
    """Everything that determines a run besides its seed and number, as canonical JSON.

    Budget and evaluation are left out, since they only change how far a run goes and how fast.
    """
    values = {option.law: getattr(settings, option.law) for option in OPTIONS.values() if option.law}
    values["gates"] = [gate(text).content for text in settings.gates]
    values["target"] = settings.wanted.content
    return json.dumps(values | {"law": asdict(settings.law)}, sort_keys=True, separators=(",", ":"))
