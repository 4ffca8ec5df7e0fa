"""The figures of the reproduction with their names and captions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gatewalk.analysis.style import save_all, styled
from gatewalk.report.page import Picture
from gatewalk.studies.paper import figures, model_panels, theory_figures
from gatewalk.studies.paper.exact import Moments
from gatewalk.studies.paper.exact_figures import exact_distributions
from gatewalk.studies.paper.experiments import Cells, Place
from gatewalk.studies.paper.models import PROFILE_WORDS
from gatewalk.studies.paper.scaling import Scaling
from gatewalk.studies.paper.workers import Later
from gatewalk.theory.conjunctions import GAP

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Draw = Callable[[], "Figure"]
Drawing = tuple[str, Draw, str]  # the figure's name, how to draw it, its caption

_MEANS = (
    "Lines: our means over the runs that succeeded{runs}, with 95 % bootstrap bands. Open markers: the "
    "published means, of as many runs as succeeded of 30.{crosses}"
)
_COMPLETE: tuple[tuple[str, Callable[[Cells, str], Figure], str], ...] = (
    (
        "figure2",
        figures.complete_times,
        f"Figure 2, reproduced: iterations to evolve Andₙ on the complete training set. {_MEANS}",
    ),
    (
        "success",
        model_panels.success_rates,
        "Runs that fitted the complete training set within the budget: ours{runs} with Wilson's 95 % "
        "intervals, the published rates, of 30 runs each, as open markers.",
    ),
    (
        "distributions",
        figures.distributions,
        "Distribution of the running time on complete sets by Kaplan and Meier, with 95 % bands: the "
        "fraction of runs{runs} solved within so many iterations. A bar stands where runs were given up.",
    ),
)
_EXPECTED = (
    "Expected running time on complete sets: the iterations of all runs{runs}, failed ones too, per success, "
    "with 95 % bootstrap bands. A triangle marks a band without an upper end. Where no run succeeded an "
    "arrow stands at the iterations spent. Black bars: exact expectations from the Markov chain, where it "
    "was solved."
)
_BENEATH = (
    "Measured distribution of the running time with its 95 % band, and the exact one from the Markov chain "
    "on all genotypes: Andₙ with n = 3 on the complete set. Each panel says how many runs it has: more than "
    "the other figures where runs are short."
)
_INCOMPLETE = (
    "figure3",
    model_panels.incomplete_times,
    "Figure 3, reproduced, a column for each model: (a, b) iterations to fit a sample of ⌈n^1.3⌉ rows, "
    "and (c, d) the ability of the program found on as many other rows. "
    f"{_MEANS} Dashed: the circuit that is always 0, on average.",
)


def pictures(
    cells: Cells,
    profiles: Sequence[str],
    upper: Sequence[Scaling],
    grown: Sequence[Scaling],
    exact: Mapping[Place, Moments],
    folder: Path,
    *,
    later: Later,
    say: Callable[[str], None],
) -> dict[str, list[Picture]]:
    """Draw and save all figures that the cells allow; returns them by heading."""
    wanted = _wanted(cells, profiles, upper, grown, exact)
    promised = {
        name: later(_drawn, make, folder, name) for drawings in wanted.values() for name, make, _ in drawings
    }
    found: dict[str, list[Picture]] = {}
    for title, drawings in wanted.items():
        for name, _, caption in drawings:
            say(f"drawing {name}")
            found.setdefault(title, []).append(Picture(name, promised[name](), caption))
    return found


def _drawn(make: Draw, folder: Path, name: str) -> bytes:
    """Draw and save one figure; returns its SVG."""
    with styled():
        return save_all(make(), folder, name)


def _wanted(
    cells: Cells,
    profiles: Sequence[str],
    upper: Sequence[Scaling],
    grown: Sequence[Scaling],
    exact: Mapping[Place, Moments],
) -> dict[str, list[Drawing]]:
    """The figures under each heading, each with only the cells it needs: they may go to another process."""
    complete, incomplete = _of(cells, "complete"), _of(cells, "incomplete")
    parts = {(place.part, place.profile) for place in cells}
    wanted: dict[str, list[Drawing]] = {}
    for profile in profiles:
        drawings: list[Drawing] = []
        if ("complete", profile) in parts:
            each = _runs_each(complete)
            drawings += [
                (
                    f"{name}-{profile}",
                    partial(draw, complete, profile),
                    caption.format(runs=each, crosses=_crosses(complete, profile)),
                )
                for name, draw, caption in _COMPLETE
            ]
            expected = partial(figures.expected_times, complete, profile, exact)
            drawings.append((f"ert-{profile}", expected, _EXPECTED.format(runs=each)))
            beneath = partial(exact_distributions, complete, profile)
            drawings.append((f"exact-{profile}", beneath, _BENEATH))
        if ("incomplete", profile) in parts:
            name, draw, caption = _INCOMPLETE
            told = caption.format(runs=_runs_each(incomplete), crosses=_crosses(incomplete, profile))
            drawings.insert(1, (f"{name}-{profile}", partial(draw, incomplete, profile), told))
        wanted[f"Figures, profile {profile}: {PROFILE_WORDS[profile]}"] = drawings
    wanted["Compared with the theory"] = _theory(cells, upper, grown, exact)
    return wanted


def _runs_each(cells: Cells) -> str:
    """How many runs each of these cells has, for a caption."""
    counts = sorted({cell.runs.runs for cell in cells.values()})
    return f" ({' or '.join(map(str, counts))} runs per cell)"


def _crosses(cells: Cells, profile: str) -> str:
    """The meaning of a cross for a caption; empty if no cell of this profile has one."""
    own = [cell.runs for place, cell in cells.items() if place.profile == profile]
    failed = any(0 < runs.successes < runs.runs for runs in own)
    return " A cross marks cells in which some of our runs failed." if failed else ""


def _of(cells: Cells, part: str) -> Cells:
    return {place: cell for place, cell in cells.items() if place.part == part}


def _theory(
    cells: Cells, upper: Sequence[Scaling], grown: Sequence[Scaling], exact: Mapping[Place, Moments]
) -> list[Drawing]:
    parts = {(place.part, place.profile) for place in cells}
    found: list[Drawing] = []
    if upper:
        found.append(
            (
                "exponents",
                partial(theory_figures.exponents, upper),
                "Exponents of the running time of Andₙ on complete sets, fitted to the larger sizes with "
                "failed runs as censored, with 95 % intervals; a triangle: the interval continues. Dashed: "
                "the exponents of the upper bounds of Theorems 6 and 3 for CGP with D proportional to n; of "
                f"Theorem 6 {GAP}. "
                "With strict selection the curves still bend at these n: an exponent there is a local "
                "slope, not yet the asymptotic one.",
            )
        )
    if ("complete", "paper") in parts:
        found.append(
            (
                "bounds",
                partial(theory_figures.bounds, _of(cells, "complete")),
                f"Expected running times of the (1+1) CGP on complete sets"
                f"{_runs_each(_of(cells, 'complete'))}, profile paper, "
                "under the bounds of (a) Theorem 6 and (b) Theorem 3, thin lines; a triangle "
                f"marks a band without an upper end. Of Theorem 6 {GAP}.",
            )
        )
    if ("xor", "paper") in parts:
        found.append(
            (
                "xor",
                partial(
                    theory_figures.exclusives,
                    _of(cells, "xor"),
                    [row for row in grown if row.part == "xor"],
                    exact,
                ),
                "Xorₙ on the complete set, non-strict, profile paper, which the paper proves hard (Theorem "
                f"9) and does not measure{_runs_each(_of(cells, 'xor'))}. Points: (a) expected running times "
                "with 95 % bootstrap intervals (a triangle: no upper end), (b) success rates with Wilson's. "
                "Lines in (a): fits of c·bⁿ; black bars: exact expectations. Points are moved aside where "
                "they would hide each other. A model is followed until more than half of its runs fail.",
            )
        )
    return found
