"""The argument and the result of a study's `findings` function: `Measured` and `Findings`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gatewalk.analysis.cells import CellRuns
from gatewalk.errors import InputError, shown
from gatewalk.report.tables import Table
from gatewalk.stats.comparison import CellComparison, ReportedComparison
from gatewalk.stats.growth import Growth
from gatewalk.studies.claims import Claim
from gatewalk.studies.folder import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Everything that was measured, the argument of a study's `findings`.

    Attributes
    ----------
    study
        The study.
    cells
        Every cell of the campaign with its runs, in the campaign's order; see also
        `gatewalk.analysis.curves.curves`.
    compared
        The cells with published runs, compared with these.
    reported
        The cells with published statistics, compared with these.
    growth
        Fits of the curves `curves(cells)` along n, by the name of the curve, if it has enough sizes.
    quick
        Whether it is only a quick run; claims should then be "not judged".

    Examples
    --------
    >>> from gatewalk.studies import find, read_study
    >>> Measured(study=read_study(find("nodes")), cells=()).quick
    False
    """

    study: Study
    cells: tuple[CellRuns, ...]
    compared: tuple[CellComparison, ...] = ()
    reported: tuple[ReportedComparison, ...] = ()
    growth: Mapping[str, Growth] = field(default_factory=dict)
    quick: bool = False


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A figure of a study, to be drawn when its page is written.

    Attributes
    ----------
    name
        The name of its files: lower-case letters, digits, - and _.
    caption
        The caption below the figure.
    draw
        A function without arguments that returns a Matplotlib figure.

    Examples
    --------
    >>> from functools import partial
    >>> from gatewalk.analysis import ratio_figure
    >>> draw = partial(ratio_figure, {"and": {4: 0.5}}, bound="Theorem 6")
    >>> Drawing(name="ratio", caption="Time over bound.", draw=draw).name
    'ratio'
    """

    name: str
    caption: str
    draw: Callable[[], Figure]

    def __post_init__(self) -> None:
        check_name("figure", self.name)
        check_text(f"the caption of the figure {self.name}", self.caption)


@dataclass(frozen=True, kw_only=True)
class Findings:
    """Everything that a study adds to its page; all of it is optional.

    Attributes
    ----------
    summary
        A few lines at the top of the page; the command prints them too.
    claims
        The claims with their verdicts.
    figures
        In the order in which they appear. The first is the main figure of the study.
    tables
        Each with the name of its files.

    Examples
    --------
    >>> Findings(summary=("Twice the nodes are faster.",)).claims
    ()
    """

    summary: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    figures: tuple[Drawing, ...] = ()
    tables: tuple[tuple[str, Table], ...] = ()


def checked(found: Any) -> Findings:
    """The findings that a hook returned; refused if they are not what they must be."""
    if not isinstance(found, Findings):
        raise InputError(f"findings returned {shown(type(found).__name__)}; it must return a Findings")
    kinds: tuple[tuple[str, type], ...] = (("summary", str), ("claims", Claim), ("figures", Drawing))
    for part, kind in kinds:
        for item in getattr(found, part):
            if not isinstance(item, kind):
                raise InputError(
                    f"the {part} of the findings contain {shown(item)}; each must be a {kind.__name__}"
                )
    for item in found.tables:
        _check_table(item)
    names = [drawing.name for drawing in found.figures] + [name for name, _ in found.tables]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two figures or tables are called {name}; give each a name of its own")
    return found


def _check_table(item: object) -> None:
    match item:
        case (name, Table()):
            check_name("table", name)
        case _:
            raise InputError(
                f"the tables of the findings contain {shown(item)}; each must be a pair (name, Table)"
            )


def check_text(what: str, value: object) -> None:
    """Refuse anything but a non-empty text."""
    if not isinstance(value, str) or not value:
        raise InputError(f"{what} must be text, not {shown(value)}")


def check_name(what: str, name: object) -> None:
    """Refuse a name that is not safe as a file name: it could lead to another folder."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(f"{what} name {shown(name)}: use only lower-case letters, digits, - and _")
