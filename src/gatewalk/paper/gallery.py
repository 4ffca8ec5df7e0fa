"""Which figures the reproduction has, what they are called and what their captions say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gatewalk.paper import figures, theory_figures
from gatewalk.paper.exact import Moments
from gatewalk.paper.exact_figures import exact_distributions
from gatewalk.paper.experiments import Cells, Place
from gatewalk.paper.models import PROFILE_WORDS
from gatewalk.paper.page import Picture
from gatewalk.paper.scaling import Scaling
from gatewalk.paper.style import save, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Draw = Callable[[], "Figure"]

_MEANS = (
    "Lines: our means of successful runs with 95 % bootstrap bands. Open markers: the published means. "
    "A cross marks cells in which some of our runs failed."
)
_COMPLETE: tuple[tuple[str, Callable[[Cells, str], Figure], str], ...] = (
    (
        "figure2",
        figures.complete_times,
        f"Figure 2, reproduced: iterations to evolve Andₙ on the complete training set. {_MEANS}",
    ),
    (
        "success",
        figures.success_rates,
        "Runs that fitted the complete training set within the budget: ours with Wilson's 95 % intervals "
        "(for 30 of 30, not drawn: down to 0.89), the published rates as open markers.",
    ),
    (
        "distributions",
        figures.distributions,
        "Empirical distribution of the running time on complete sets: the fraction of all runs solved "
        "within so many iterations.",
    ),
)
_EXPECTED = (
    "Expected running time on complete sets: the iterations of all runs, failed ones too, per success, "
    "with 95 % bootstrap bands. Where no run succeeded an arrow stands at the iterations spent. Black bars: "
    "exact expectations from the Markov chain, where it was solved."
)
_BENEATH = (
    "Measured distribution of the running time over the exact one, from the Markov chain on all genotypes: "
    "Andₙ with n = 3 on the complete set."
)
_INCOMPLETE = (
    "figure3",
    figures.incomplete_times,
    "Figure 3, reproduced: iterations to fit a sample of ⌈n^1.3⌉ rows, and the ability of the program found "
    f"on as many other rows. {_MEANS} Black: the circuit that is always 0, on average.",
)


def pictures(
    cells: Cells,
    profiles: Sequence[str],
    upper: Sequence[Scaling],
    grown: Sequence[Scaling],
    exact: Mapping[Place, Moments],
    folder: Path,
    say: Callable[[str], None],
) -> dict[str, list[Picture]]:
    """Draw and save all figures that the cells allow; by the heading they belong under."""
    parts = {(place.part, place.profile) for place in cells}
    wanted: dict[str, list[tuple[str, Draw, str]]] = {}
    for profile in profiles:
        title = f"Figures, profile {profile}: {PROFILE_WORDS[profile]}"
        drawings = _COMPLETE if ("complete", profile) in parts else ()
        if ("incomplete", profile) in parts:
            drawings = (*drawings[:1], _INCOMPLETE, *drawings[1:])
        wanted[title] = [
            (f"{name}-{profile}", partial(draw, cells, profile), caption) for name, draw, caption in drawings
        ]
        if ("complete", profile) in parts:
            expected = partial(figures.expected_times, cells, profile, exact)
            wanted[title].append((f"ert-{profile}", expected, _EXPECTED))
            beneath = partial(exact_distributions, cells, profile)
            wanted[title].append((f"exact-{profile}", beneath, _BENEATH))
    wanted["Beside the theory"] = _theory(cells, upper, grown, exact)
    with styled():
        found = {}
        for title, drawings_wanted in wanted.items():
            drawn = []
            for name, make, caption in drawings_wanted:
                say(f"drawing {name}")
                drawn.append(Picture(name, save(make(), folder, name), caption))
            found[title] = drawn
    return {title: drawn for title, drawn in found.items() if drawn}


def _theory(
    cells: Cells, upper: Sequence[Scaling], grown: Sequence[Scaling], exact: Mapping[Place, Moments]
) -> list[tuple[str, Draw, str]]:
    parts = {(place.part, place.profile) for place in cells}
    found: list[tuple[str, Draw, str]] = []
    if upper:
        found.append(
            (
                "exponents",
                lambda: theory_figures.exponents(upper),
                "Exponents of the running time of Andₙ on complete sets, fitted to the larger sizes with "
                "failed runs as censored, with 95 % intervals. Dashed: the exponents of the upper bounds of "
                "Theorems 6 and 3 for CGP with D proportional to n. With strict selection the curves still "
                "bend at these n: an exponent there is a local slope, not yet the asymptotic one.",
            )
        )
    if ("complete", "paper") in parts:
        found.append(
            (
                "bounds",
                lambda: theory_figures.bounds(cells),
                "Expected running times of the (1+1) CGP on complete sets, profile paper, under the bounds "
                "of Theorem 6 (non-strict) and Theorem 3 (strict).",
            )
        )
    if ("xor", "paper") in parts:
        found.append(
            (
                "xor",
                lambda: theory_figures.exclusives(cells, [row for row in grown if row.part == "xor"], exact),
                "Xorₙ on the complete set, non-strict, profile paper, which the paper proves hard (Theorem "
                "9) and does not measure. Points: expected running time with 95 % intervals; lines: fits of "
                "c·bⁿ; bars: exact expectations. A model is followed until more than half of its runs fail.",
            )
        )
    return found
