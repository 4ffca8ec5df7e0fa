"""Claims of a study: a statement, its source, what the runs show, and the verdict with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from gatewalk.errors import InputError, shown
from gatewalk.report import page as markup
from gatewalk.report.page import Colour
from gatewalk.report.tables import Table
from gatewalk.typeset import to_html

Verdict = Literal["confirmed", "partly confirmed", "not confirmed", "not judged"]
VERDICTS: tuple[str, ...] = get_args(Verdict)
_COLOURS: dict[str, Colour] = dict(zip(VERDICTS, ("yes", "partly", "no", "unknown"), strict=True))


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A statement that is judged by the runs.

    Attributes
    ----------
    statement
        What is claimed, understandable without context.
    source
        Where the claim is made: a theorem, a page, or the study itself.
    measured
        What the runs show, with its numbers.
    verdict
        One of `VERDICTS`. "not judged" is for runs that cannot decide it, such as those of a quick study.
    reason
        Why this verdict: the test, its level, what is missing.

    Examples
    --------
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
    """The verdict on a claim from several comparisons.

    Parameters
    ----------
    holds
        Whether each comparison holds.
    quick
        Whether it is only a quick run, in which nothing is judged.

    Returns
    -------
    str
        "confirmed", "partly confirmed", "not confirmed", or "not judged", also if there is no comparison.

    Examples
    --------
    >>> judged([True, False]), judged([True], quick=True)
    ('partly confirmed', 'not judged')
    """
    if quick or not holds:
        return "not judged"
    if all(holds):
        return "confirmed"
    return "partly confirmed" if any(holds) else "not confirmed"


def claim_markup(claim: Claim) -> str:
    """A claim as a part of a page."""
    below = markup.paragraph(claim.measured) + (
        markup.paragraph(claim.reason, "note") if claim.reason else ""
    )
    said = f"<p><b>{to_html(claim.statement)}</b> {markup.small(f'({claim.source})')}</p>"
    return said + markup.verdict(_COLOURS[claim.verdict], claim.verdict, below=below)


def claim_table(claims: tuple[Claim, ...]) -> Table:
    """All claims, a row each."""
    return Table(
        title="Claims and verdicts",
        columns=("statement", "source", "measured", "verdict", "reason"),
        rows=tuple((c.statement, c.source, c.measured, c.verdict, c.reason) for c in claims),
        texts=5,
    )
