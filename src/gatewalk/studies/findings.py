"""What a study's code is given and gives back: measured cells and findings, a request and a report."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.curves import curves, fits
from gatewalk.campaign.execution import Progress
from gatewalk.errors import InputError, shown
from gatewalk.report.tables import Table
from gatewalk.stats.comparison import CellComparison, ReportedComparison
from gatewalk.stats.growth import Growth
from gatewalk.studies.folder import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Verdict = Literal["confirmed", "partly confirmed", "not confirmed", "not judged"]
VERDICTS: tuple[str, ...] = get_args(Verdict)
Choices = Mapping[str, tuple[str, ...]]
Watch = Callable[[str, Progress], None]
Say = Callable[[str], None]
MOST_FITTED = 12  # curves; fitting more takes minutes, and a figure could not show them
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A statement that is judged by the runs.

    statement: what is claimed, understandable without context.
    source: where the claim is made: a theorem, a page, or the study itself.
    measured: what the runs show, with its numbers.
    verdict: one of `VERDICTS`; "not judged" is for runs that cannot decide it.
    reason: why this verdict: the test, its level, what is missing.

    >>> told = Claim(statement="More nodes help", source="Section 5", measured="...", verdict="confirmed")
    >>> told.verdict
    'confirmed'
    """

    statement: str
    source: str
    measured: str
    verdict: Verdict
    reason: str = ""

    def __post_init__(self) -> None:
        for name in ("statement", "source", "measured", "reason"):
            if not isinstance(getattr(self, name), str):
                raise InputError(f"the {name} of a claim must be text, not {shown(getattr(self, name))}")
        if self.verdict not in VERDICTS:
            raise InputError(f"unknown verdict {shown(self.verdict)}; use {', '.join(VERDICTS)}")


def judged(holds: Sequence[bool], *, quick: bool = False) -> Verdict:
    """The verdict on a claim from several comparisons; "not judged" if there is none.

    quick: whether to judge nothing. A quick run needs no mention here: `run_study` takes its verdicts back.

    >>> judged([True, False]), judged([])
    ('partly confirmed', 'not judged')
    """
    if quick or not holds:
        return "not judged"
    if all(holds):
        return "confirmed"
    return "partly confirmed" if any(holds) else "not confirmed"


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A figure of a study, to be drawn when its page is written.

    name: the name of its files: lower-case letters, digits, - and _.
    caption: the text below the figure.
    draw: a function without arguments that returns a Matplotlib figure.
    heading: figures that have the same one stand below it on the page.

    >>> from functools import partial
    >>> from gatewalk.analysis import times_figure
    >>> from gatewalk.stats import sample
    >>> draw = partial(times_figure, {"and": {4: sample([3, 9], [True, True])}})
    >>> Drawing(name="times", caption="Iterations by n.", draw=draw).name
    'times'
    """

    name: str
    caption: str
    draw: Callable[[], Figure]
    heading: str = ""

    def __post_init__(self) -> None:
        check_name("figure", self.name)
        _check_text(f"the caption of the figure {self.name}", self.caption)


@dataclass(frozen=True, kw_only=True)
class Remark:
    """Something that a reader should know, such as why published numbers differ from ours.

    title: what it is about, in a few words.
    text: a paragraph.
    table: numbers that show it.
    heading: remarks that have the same one stand below it on the page.

    >>> Remark(title="Failed runs", text="The published means leave them out.").table is None
    True
    """

    title: str
    text: str
    table: Table | None = None
    heading: str = ""

    def __post_init__(self) -> None:
        _check_text("the title of a remark", self.title)
        _check_text(f"the text of the remark {self.title}", self.text)


@dataclass(frozen=True, kw_only=True)
class Findings:
    """Everything that a study adds to its page; all of it is optional.

    summary: a few lines at the top of the page; the command prints them too.
    claims: with their verdicts.
    figures: in the order in which they appear. The first is the main figure of the study.
    tables: pairs of a name and a table, which is on the page and in `tables/NAME.csv`, `.md` and `.tex`.
    remarks: paragraphs below the comparison with published results.
    data: tables that are not on the page but only in `data/NAME.csv`, by name.

    >>> Findings(summary=("Twice the nodes are faster.",)).claims
    ()
    """

    summary: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    figures: tuple[Drawing, ...] = ()
    tables: tuple[tuple[str, Table], ...] = ()
    remarks: tuple[Remark, ...] = ()
    data: Mapping[str, Table] = field(default_factory=dict)


def checked(findings: Any) -> Findings:
    """The findings that a study's code returned; refused if they are not what they must be."""
    if not isinstance(findings, Findings):
        raise InputError(f"findings returned {shown(type(findings).__name__)}; it must return a Findings")
    kinds = {"summary": str, "claims": Claim, "figures": Drawing, "remarks": Remark}
    for part, kind in kinds.items():
        for item in getattr(findings, part):
            if not isinstance(item, kind):
                raise InputError(
                    f"the {part} of the findings contain {shown(item)}; each must be a {kind.__name__}"
                )
    for part, items in (("tables", findings.tables), ("data", tuple(findings.data.items()))):
        for item in items:
            match item:
                case (name, Table()):
                    check_name("table", name)
                case _:
                    raise InputError(
                        f"the {part} of the findings contain {shown(item)}; each must be a pair (name, Table)"
                    )
    names = [drawing.name for drawing in findings.figures] + [name for name, _ in findings.tables]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two figures or tables are called {name}; give each a name of its own")
    return findings


def check_name(what: str, name: object) -> None:
    """Refuse a name that is not safe as a file name: it could lead to another folder."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(f"{what} name {shown(name)}: use only lower-case letters, digits, - and _")


def _check_text(what: str, value: object) -> None:
    if not isinstance(value, str) or not value:
        raise InputError(f"{what} must be text, not {shown(value)}")


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Everything that was measured, the argument of a study's `findings`.

    study: the study.
    cells: every cell of the campaign with its runs, in the campaign's order; see also
        `gatewalk.analysis.curves`.
    compared: the cells with published runs, compared with these.
    reported: the cells with published statistics, compared with these.
    quick: whether it is only a quick run.
    replications: the runs of each cell that were asked for; None for those of the campaign. Cells may have
        more.
    choices: the values that were chosen of every name in the study's `CHOICES`; empty if it has none.
    resamples: how many bootstrap samples the interval of a growth curve rests on.

    >>> from gatewalk.studies import read_study
    >>> Measured(study=read_study("nodes"), cells=()).quick
    False
    """

    study: Study
    cells: tuple[CellRuns, ...]
    compared: tuple[CellComparison, ...] = ()
    reported: tuple[ReportedComparison, ...] = ()
    quick: bool = False
    replications: int | None = None
    choices: Choices = field(default_factory=dict)
    resamples: int = 20

    @cached_property
    def growth(self) -> Mapping[str, Growth]:
        """Fits of the curves along n, by the name of the curve; made when first asked for."""
        along = curves(self.cells, self.study.x)
        if self.study.x != "n" or len(along) > MOST_FITTED:
            return {}
        return fits(along, resamples=self.resamples)


def _silent(words: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """A study to be run.

    study: what `read_study` returned.
    out: the folder for the page and everything else; runs that are there already are not run again.
    quick: whether to do only a quick run, which takes seconds.
    jobs: threads; None for one per processor.
    seed: another seed; None for that of the study.
    replications: the number of runs of every cell, in place of the campaign's; grids that have a number of
        their own keep it if it is larger.
    choices: for a study with `CHOICES`, which values of a name to keep: {"only": ("xor",)}.
    watch, say: called with the progress of runs, and with every other step in words.
    command: the command line that does the same again, for the page.

    >>> from pathlib import Path
    >>> from gatewalk.studies import read_study
    >>> Request(study=read_study("nodes"), out=Path("results")).quick
    False
    """

    study: Study
    out: Path
    quick: bool = False
    jobs: int | None = None
    seed: int | None = None
    replications: int | None = None
    choices: Choices = field(default_factory=dict)
    watch: Watch | None = None
    say: Say = _silent
    command: str = "gatewalk study run"


@dataclass(frozen=True)
class Report:
    """The result of running a study.

    page: the file of the page.
    summary: the main results in a few lines.
    record: the result as data: what `--json` prints.
    picture: the SVG of its main figure.

    >>> from pathlib import Path
    >>> Report(page=Path("index.html"), summary=("Confirmed.",)).summary
    ('Confirmed.',)
    """

    page: Path
    summary: tuple[str, ...]
    record: dict[str, Any] = field(default_factory=dict)
    picture: Path | None = None
