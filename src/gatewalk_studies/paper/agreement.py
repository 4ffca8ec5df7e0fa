"""Whether the published numbers agree with our runs, and where they do not, why.

The hypothesis is that the published 30 runs were drawn from the distribution of ours. Every cell of Table 2
is tested as `gatewalk.stats.compare` does. For a model, the differences of the means become normal
scores, which are squared and summed over n; the sum is chi-square distributed with one degree of freedom per
n.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan, sqrt

import numpy as np

from gatewalk.numbers import number, probability
from gatewalk.report import Table
from gatewalk.stats import (
    Reported,
    ReportedComparison,
    Sample,
    chi_square,
    compare,
    ert,
)
from gatewalk.studies import Remark

from .cells import (
    CGP,
    MODELS,
    PROFILE_WORDS,
    REPLICATIONS,
    SELECTION_WORDS,
    SELECTIONS,
    Cells,
    Place,
    Row,
    SuccessfulRuns,
    label,
    line,
    plotted_means,
    successful_runs,
    table2,
)

FEWEST_TIMES = 5  # with fewer successes a mean is not compared
WINDOW = 8  # in Figure 3 the standard deviation is taken over so many sizes to either side
FAR = 3  # standard errors


@dataclass(frozen=True)
class Agreement:
    """A published cell compared with ours.

    tests: the p-values of mean, median and successes, and the verdict.
    own_errors: the difference of the means with our standard deviation alone instead of the pooled one.
    """

    place: Place
    published: Row
    measured: SuccessfulRuns
    tests: ReportedComparison
    own_errors: float = nan


def agreement(place: Place, data: Sample, row: Row) -> Agreement:
    """Compare one cell."""
    ours = successful_runs(data)
    theirs = Reported(
        runs=REPLICATIONS, successes=row.successes, mean=row.mean, std=row.std, median=row.median
    )
    tests = compare("", data, theirs)
    own = nan
    if tests.standard_errors == tests.standard_errors and ours.std > 0:
        own = (row.mean - ours.mean) / (ours.std * sqrt(1 / row.successes + 1 / data.successes))
    return Agreement(place, row, ours, tests, own)


def agreements(cells: Cells, profile: str) -> list[Agreement]:
    """All cells of Table 2 that were run under this profile, in the table's order."""
    places = ((Place("complete", profile, *key), row) for key, row in table2().items())
    return [agreement(place, cells[place].all_runs, row) for place, row in places if place in cells]


@dataclass(frozen=True)
class ChiSquare:
    """The differences of one model's means, published and ours, as normal scores by n."""

    profile: str
    selection: str
    model: str
    scores: Mapping[int, float]

    @property
    def statistic(self) -> float:
        """The sum of the squared scores."""
        return chi_square(self.scores.values()).statistic

    @property
    def degrees(self) -> int:
        """How many scores there are."""
        return len(self.scores)

    @property
    def p_value(self) -> float:
        """The probability of a larger sum."""
        return chi_square(self.scores.values()).p_value

    @property
    def verdict(self) -> str:
        """What the p-value says, with the sizes that stand out if the other ones agree."""
        if not self.degrees:
            return "nothing to compare"
        verdict = chi_square(self.scores.values()).verdict
        far = [n for n, score in self.scores.items() if score**2 > FAR**2]
        rest = chi_square(score for n, score in self.scores.items() if n not in far)
        if verdict == "differs" and 10 * len(far) <= self.degrees and rest.verdict == "agrees":
            return f"differs, by n = {', '.join(map(str, far))} alone"
        return verdict


def chi_squares(compared: Sequence[Agreement], profile: str) -> list[ChiSquare]:
    """The cells of Table 2 summed up: a chi-square per selection and model."""
    return [
        ChiSquare(
            profile,
            selection,
            model.name,
            {
                cell.place.n: cell.tests.score
                for cell in compared
                if (cell.place.selection, cell.place.model) == (selection, model.name)
                and cell.tests.p_mean == cell.tests.p_mean
            },
        )
        for selection in SELECTIONS
        for model in MODELS
    ]


def nonstrict_cgp(compared: Sequence[Agreement], profile: str) -> ChiSquare:
    """The 39 non-strict CGP means as one chi-square: the sharpest test of how published runs were made.

    Its scores are numbered, because each n occurs three times.
    """
    names = {model.name for model in CGP}
    parts = [
        part
        for part in chi_squares(compared, profile)
        if part.selection == "nonstrict" and part.model in names
    ]
    scores = [score for part in parts for score in part.scores.values()]
    return ChiSquare(profile, "nonstrict", "CGP, all three", dict(enumerate(scores)))


def figure3_chi_square(cells: Cells, profile: str, selection: str, model: str, quantity: str) -> ChiSquare:
    """The same sum for the means plotted in Figure 3: "runtime" or "generalisation".

    No standard deviations were published for it, and running times on samples are heavy-tailed, with about
    one very long run in a hundred. The standard deviation is therefore that of cells within `WINDOW` of n.
    """
    published = plotted_means("fig3", quantity)
    values = {
        n: cell.runs.times if quantity == "runtime" else cell.generalisation[cell.runs.solved]
        for n, cell in line(cells, "incomplete", profile, selection, model).items()
    }
    scores = {}
    for n, ours in values.items():
        mean = published.get((selection, model, n))
        near = [other - other.mean() for m, other in values.items() if abs(m - n) <= WINDOW and other.size]
        spread = float(np.sqrt(np.mean(np.concatenate(near) ** 2))) if near else 0.0
        if mean is not None and ours.size >= FEWEST_TIMES and spread > 0:
            error = spread * sqrt(1 / REPLICATIONS + 1 / ours.size)
            scores[n] = (mean - float(ours.mean())) / error
    return ChiSquare(profile, selection, model, scores)


def summary(compared: Sequence[Agreement], profile: str) -> str:
    """How many cells agree, and the sharpest test, in a line."""
    verdicts, sharpest = Counter(cell.tests.verdict for cell in compared), nonstrict_cgp(compared, profile)
    return (
        f"Profile {profile} ({PROFILE_WORDS[profile]}): {verdicts['agrees']} of {len(compared)} published "
        f"cells agree, {verdicts['borderline']} are borderline, {verdicts['differs']} differ; chi-square of "
        f"the non-strict CGP means {sharpest.statistic:.1f} at {sharpest.degrees} degrees of freedom, "
        f"p = {probability(sharpest.p_value)}."
    )


_PROFILE_SAID = {
    "agrees": "cannot be told from the published runs",
    "borderline": "is hard to reconcile with the published runs",
    "differs": "is not what was run",
}


def how_tested(compared: Mapping[str, Sequence[Agreement]]) -> Remark:
    """How the published means are tested, and what the test says about each profile."""
    counts = sorted({cell.measured.runs for cells in compared.values() for cell in cells})
    text = (
        "If the published 30 runs of a cell came from the distribution of ours, the difference of the means "
        "is about one standard error, and the squares of these differences, summed over the 13 sizes, follow "
        "a chi-square distribution. "
    )
    if len(counts) > 1:
        text += (
            f"Cells of trees and of non-strict CGP were run {counts[-1]} times for these tests; all others, "
            f"and all figures, have {counts[0]} runs per cell."
        )
    else:
        text += f"Every cell has {counts[0]} runs."
    for profile, cells in compared.items():
        square = nonstrict_cgp(cells, profile)
        if square.degrees:
            own = sum(
                cell.own_errors**2
                for cell in cells
                if cell.place.selection == "nonstrict"
                and cell.place.model.startswith("cgp")
                and cell.own_errors == cell.own_errors
            )
            text += (
                f" Profile {profile}: the {square.degrees} non-strict CGP means give a chi-square of "
                f"{square.statistic:.1f}, p = {probability(square.p_value)}: the profile "
                f"{_PROFILE_SAID[square.verdict]}. (With our standard deviations alone, instead of pooled "
                f"ones: {own:.1f}.)"
            )
    return Remark(title="How the published means are tested", text=text)


# Strict cells that have a remark of their own, by model: from this n on.
_EXPLAINED_FROM = {"cgp-1n": 9, "cgp-2n": 14}


def discrepancies(cells: Cells, compared: Sequence[Agreement], profile: str) -> list[Remark]:
    """Where the published numbers differ from the runs of this profile, and why."""
    remarks = (
        _no_success(compared, profile),
        _few_successes(compared, profile),
        _success_only(cells, profile),
        _unreachable(profile),
        _rest(compared, profile),
    )
    heading = f"Where published and measured numbers differ, profile {profile}"
    return [replace(remark, heading=heading) for remark in remarks if remark is not None]


def _no_success(compared: Sequence[Agreement], profile: str) -> Remark | None:
    cells = _strict_cells(compared, "cgp-1n", range(9, 16))
    if not cells:
        return None
    return Remark(
        title=f"Strict selection, {label('cgp-1n', profile)}, n ≥ 9",
        text="The table has no success from n = 9 on (its caption says n > 9), while some of our runs "
        "succeed within as many iterations. A limit on the clock in the published runs is the likely cause: "
        "where we ran their library it made 1.5 iterations a second at n = 15, at which a million take eight "
        "days.",
        table=_counts(cells, profile),
    )


def _few_successes(compared: Sequence[Agreement], profile: str) -> Remark | None:
    cells = _strict_cells(compared, "cgp-2n", range(14, 16))
    if not cells:
        return None
    return Remark(
        title=f"Strict selection, {label('cgp-2n', profile)}, n = 14 and 15",
        text="Fewer runs succeeded than succeed here, and the published means are those of the quick ones: "
        "searches seem to have been stopped before using up their iterations.",
        table=_counts(cells, profile),
    )


def _strict_cells(compared: Sequence[Agreement], model: str, sizes: range) -> list[Agreement]:
    return [
        cell
        for cell in compared
        if (cell.place.selection, cell.place.model) == ("strict", model) and cell.place.n in sizes
    ]


def _success_only(cells: Cells, profile: str) -> Remark | None:
    rows = []
    for (selection, model, n), row in table2().items():
        cell = cells.get(Place("complete", profile, selection, model, n))
        if cell is not None and 0 < row.successes < REPLICATIONS:
            ours = cell.runs.times
            rows.append(
                (
                    SELECTION_WORDS[selection],
                    label(model, profile),
                    str(n),
                    f"{row.successes}/{REPLICATIONS}",
                    number(row.mean),
                    f"{cell.runs.successes}/{cell.runs.runs}",
                    number(float(ours.mean()) if ours.size else nan),
                    number(ert(cell.runs)),
                )
            )
    if not rows:
        return None
    return Remark(
        title="Means of successful runs only",
        text="Unsuccessful runs are left out of the published statistics, so that means are too low wherever "
        f"fewer than {REPLICATIONS} runs succeeded. The expected running time ERT counts the iterations of "
        "failed runs as well.",
        table=Table(
            title="",
            columns=(
                *("selection", "model", "n", "solved, published", "mean, published"),
                *("solved, ours", "mean, ours", "ERT, ours"),
            ),
            rows=tuple(sorted(rows, key=lambda row: (row[0], row[1], int(row[2])))),
            texts=2,
        ),
    )


def _unreachable(profile: str) -> Remark | None:
    if profile != "tinyverse":
        return None
    return Remark(
        title="Programs that can never improve",
        text="In the published runs a node reads only the D places before it, inputs included (levels-back). "
        "With strict selection and few nodes some programs can then never reach a missing input: for n = 3 "
        "and D = 3, 204 of the 4374 genotypes, so that the expected time is infinite. Under Algorithms 1–3 "
        "every program can be improved.",
    )


def _rest(compared: Iterable[Agreement], profile: str) -> Remark | None:
    """The cells that differ and are not explained by the other remarks."""
    rest = [
        cell
        for cell in compared
        if cell.tests.verdict == "differs"
        and not (
            cell.place.selection == "strict" and cell.place.n >= _EXPLAINED_FROM.get(cell.place.model, 99)
        )
    ]
    if not rest:
        return None
    why = (
        "Nothing is known that explains them. With 130 cells, about one in a thousand differs by chance, "
        "heavy-tailed ones a little more often."
        if profile == "tinyverse"
        else "The published runs did not follow Algorithms 1–3: ties were accepted half of the time, SAM "
        "stopped at unchanged genes, trees were changed at other places, and there was one node more. The "
        "profile tinyverse does the same."
    )
    return Remark(title="Other cells that differ", text=why, table=_counts(rest, profile))


def _counts(compared: Sequence[Agreement], profile: str) -> Table:
    """Successes and success-only means, published and ours."""
    return Table(
        title="",
        columns=(
            *("selection", "model", "n", "solved, published", "ours"),
            *("mean of these, published", "ours", "p"),
        ),
        rows=tuple(
            (
                SELECTION_WORDS[cell.place.selection],
                label(cell.place.model, profile),
                str(cell.place.n),
                f"{cell.published.successes}/{REPLICATIONS}",
                f"{cell.measured.successes}/{cell.measured.runs}",
                number(cell.published.mean),
                number(cell.measured.mean),
                probability(_least_p_value(cell.tests)),
            )
            for cell in compared
        ),
        texts=2,
        note="p: the least of the tests of mean, median and successes, not corrected.",
    )


def _least_p_value(tests: ReportedComparison) -> float:
    return min(p for p in (tests.p_successes, tests.p_mean, tests.p_median) if p == p)
