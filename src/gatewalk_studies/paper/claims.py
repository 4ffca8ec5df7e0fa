"""The claims of the paper about its experiments, and what our runs say about each.

Most claims are that one model is faster than another, over all n: van Elteren's rank test, stratified by n,
with two effect sizes, the mean over n of A12, the probability that a run of the first model is faster, and
the ratio of expected running times.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from math import exp, isfinite, log, nan, sqrt

import numpy as np
from scipy import stats

from gatewalk.numbers import number, probability
from gatewalk.stats import Sample, ert, magnitude, mann_whitney
from gatewalk.studies import Claim, judged

from .cells import CGP, MODELS, REPLICATIONS, SELECTION_WORDS, SELECTIONS, TGP, Cells, line, table2

CLEAR = 0.01  # the level of a contrast, before the correction for their number
BySize = dict[int, Sample]


@dataclass(frozen=True)
class Contrast:
    """The first model compared with the second, over the sizes that both have.

    a12: mean probability that the first is faster. ratio: geometric mean of ERT(second)/ERT(first)
    over the sizes where both succeeded, `ratio_sizes` of them. against: sizes at which the second is
    clearly faster (p < 0.01 there).
    """

    first: str
    second: str
    selection: str
    sizes: tuple[int, ...]
    replications: int
    a12: float
    ratio: float
    ratio_sizes: int
    p_value: float
    against: tuple[int, ...]

    @property
    def effect(self) -> str:
        """Vargha and Delaney's word for the effect."""
        return magnitude(self.a12)

    @property
    def label(self) -> str:
        """What is compared, and where it is the other way."""
        text = f"{self.first} against {self.second}, {SELECTION_WORDS[self.selection]}"
        return text + (f"; the other way at n = {listed(self.against)}" if self.against else "")


def contrast(first: BySize, second: BySize, names: tuple[str, str], selection: str) -> Contrast:
    """Compare two curves."""
    sizes = tuple(n for n in first if n in second)
    pairs = [(first[n], second[n]) for n in sizes]
    ratios = [ert(b) / ert(a) for a, b in pairs if a.successes and b.successes and ert(a) > 0 < ert(b)]
    ranks = {n: mann_whitney(first[n], second[n]) for n in sizes}
    against = [n for n, test in ranks.items() if test.a12 < 0.5 and test.p_value < CLEAR]
    return Contrast(
        first=names[0],
        second=names[1],
        selection=selection,
        sizes=sizes,
        replications=min((min(a.runs, b.runs) for a, b in pairs), default=0),
        a12=float(np.mean([test.a12 for test in ranks.values()])) if ranks else nan,
        ratio=exp(float(np.mean([log(ratio) for ratio in ratios]))) if ratios else nan,
        ratio_sizes=len(ratios),
        p_value=van_elteren(pairs),
        against=tuple(against),
    )


def van_elteren(pairs: Iterable[tuple[Sample, Sample]]) -> float:
    """The two-sided p-value of the hypothesis that the two samples of every pair have the same distribution.

    Each pair is ranked by itself, failed runs behind every success, and the rank sums are added with weights
    1/(N + 1) (van Elteren 1960).
    """
    distance, variance = 0.0, 0.0
    for first, second in pairs:
        ranks = stats.rankdata(np.concatenate([_failed_last(first), _failed_last(second)]))
        total, weight = ranks.size, 1 / (ranks.size + 1)
        distance += weight * (float(ranks[: first.runs].sum()) - first.runs * (total + 1) / 2)
        # With ties, the variance of a rank sum is that of sampling the ranks without replacement.
        variance += weight**2 * first.runs * second.runs / total * float(ranks.var(ddof=1))
    if variance == 0:
        return 1.0
    return float(2 * stats.norm.sf(abs(distance) / sqrt(variance)))


def _failed_last(data: Sample) -> np.ndarray:
    return np.where(data.solved, data.iterations, np.inf)


def holds(contrasts: Sequence[Contrast]) -> list[bool]:
    """Which contrasts are clear in the claimed direction, Bonferroni-corrected for their number."""
    level = CLEAR / max(1, len(contrasts))
    return [seen.a12 > 0.5 and isfinite(seen.p_value) and seen.p_value < level for seen in contrasts]


@dataclass(frozen=True)
class Ability:
    """How well the programs of one model generalise: their ability on rows outside their samples.

    means: by n. lost: of every run, its ability minus that of a circuit that is always 0. p_value: of
    Wilcoxon's signed ranks, that these are as often above 0 as below.
    """

    selection: str
    model: str
    means: dict[int, float]
    lost: np.ndarray
    p_value: float


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What the runs of one profile show about a sentence of the paper.

    holds: what the sentence asserts, and whether it is so, point by point: see `judged`.
    contrasts, clear: the comparisons behind it, and which of them are clear. abilities: of every model.
    """

    title: str
    quote: str
    where: str
    profile: str
    holds: tuple[bool, ...]
    measured: str
    remark: str = ""
    contrasts: tuple[Contrast, ...] = ()
    clear: tuple[bool, ...] = ()
    abilities: tuple[Ability, ...] = field(default=(), repr=False)


def judgements(cells: Cells, profiles: Sequence[str]) -> list[Judgement]:
    """Every sentence that these runs can judge, under each profile."""
    judges = (
        _trees_faster,
        _nodes_help,
        _strict_hurts,
        _narrow_strict_fails,
        _nodes_help_on_samples,
        _samples_cheaper,
        _generalises,
    )
    made = (judge(cells, profile) for judge in judges for profile in profiles)
    return [judgement for judgement in made if judgement is not None]


def claims(made: Sequence[Judgement]) -> tuple[Claim, ...]:
    """A claim for each sentence, with what the runs of every profile say about it."""
    merged = []
    for title, group in groupby(made, key=lambda judgement: judgement.title):
        alike = list(group)  # one for each profile
        remarks = [judgement.remark for judgement in alike if judgement.remark]
        if any(judgement.contrasts for judgement in alike):
            remarks.append(f"A comparison is clear if p < {CLEAR} divided by their number.")
        merged.append(
            Claim(
                statement=title,
                source=f"“{alike[0].quote}”, {alike[0].where}",
                measured=" ".join(f"Profile {seen.profile}: {seen.measured}." for seen in alike),
                verdict=judged([point for judgement in alike for point in judgement.holds]),
                reason=" ".join(dict.fromkeys(remarks)),
            )
        )
    return tuple(merged)


def _compared(
    contrasts: list[Contrast], title: str, quote: str, where: str, profile: str, remark: str = ""
) -> Judgement | None:
    """The judgement on a claim that models are faster than others: several contrasts."""
    contrasts = [seen for seen in contrasts if seen.sizes]
    if not contrasts:
        return None
    clear = holds(contrasts)
    against = sorted({n for seen in contrasts for n in seen.against})
    counted = "all" if all(clear) else f"{sum(clear)} of"
    a12, ratios = [seen.a12 for seen in contrasts], [seen.ratio for seen in contrasts if isfinite(seen.ratio)]
    measured = f"{counted} {len(clear)} comparisons are clear"
    measured += f", but the other way at n = {listed(against)}" if against else ""
    measured += f"; A12 from {min(a12):.2f} to {max(a12):.2f}"
    if ratios:
        measured += f", {number(min(ratios))} to {number(max(ratios))} times as fast (ERT)"
    measured += (
        f", largest p = {probability(max(seen.p_value for seen in contrasts))}, over "
        f"{len(contrasts[0].sizes)} sizes with {contrasts[0].replications} runs each"
    )
    return Judgement(
        title=title,
        quote=quote,
        where=where,
        profile=profile,
        holds=(*clear, not against) if any(clear) else tuple(clear),
        measured=measured,
        remark=remark,
        contrasts=tuple(contrasts),
        clear=tuple(clear),
    )


def listed(sizes: Sequence[int]) -> str:
    """3, 4, 5, 9 as "3-5, 9"."""
    parts: list[list[int]] = []
    for n in sizes:
        if parts and parts[-1][-1] == n - 1:
            parts[-1].append(n)
        else:
            parts.append([n])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in parts)


def _runs(cells: Cells, part: str, profile: str, selection: str, model: str) -> BySize:
    return {n: cell.runs for n, cell in line(cells, part, profile, selection, model).items()}


def _trees_faster(cells: Cells, profile: str) -> Judgement | None:
    contrasts = [
        contrast(
            _runs(cells, "complete", profile, selection, tree.name),
            _runs(cells, "complete", profile, selection, graph.name),
            (tree.label(profile), graph.label(profile)),
            selection,
        )
        for selection in SELECTIONS
        for tree in TGP
        for graph in CGP
    ]
    return _compared(
        contrasts,
        "Trees are faster than CGP on complete training sets",
        "It can be clearly seen that the considered TGP models perform generally better in this scenario",
        "Section 5, on Figure 2",
        profile,
        "For the smallest n a random CGP program with spare nodes often is a solution already.",
    )


def _more_nodes(cells: Cells, profile: str, part: str) -> list[Contrast]:
    return [
        contrast(
            _runs(cells, part, profile, selection, more.name),
            _runs(cells, part, profile, selection, fewer.name),
            (more.label(profile), fewer.label(profile)),
            selection,
        )
        for selection in SELECTIONS
        for fewer, more in pairwise(CGP)
    ]


def _nodes_help(cells: Cells, profile: str) -> Judgement | None:
    return _compared(
        _more_nodes(cells, profile, "complete"),
        "More nodes make CGP faster",
        "increasing the number of function nodes generally improves the search performance of CGP",
        "Section 5, on Figure 2",
        profile,
    )


def _nodes_help_on_samples(cells: Cells, profile: str) -> Judgement | None:
    return _compared(
        _more_nodes(cells, profile, "incomplete"),
        "More nodes make CGP faster on sampled training sets too",
        "increasing the number of function nodes improves the search performance of CGP in terms of running "
        "time for both selection strategies",
        "Section 5, on Figure 3",
        profile,
    )


def _strict_hurts(cells: Cells, profile: str) -> Judgement | None:
    contrasts = [
        contrast(
            _runs(cells, "complete", profile, "nonstrict", model.name),
            _runs(cells, "complete", profile, "strict", model.name),
            (f"{model.label(profile)} non-strict", "strict"),
            "nonstrict",
        )
        for model in CGP
    ]
    return _compared(
        contrasts,
        "Strict selection makes CGP slower",
        "using strict selection deteriorates its performance",
        "Section 5, on Figure 2",
        profile,
        "At the smallest n the difference is small: few searches meet a plateau at all.",
    )


def _samples_cheaper(cells: Cells, profile: str) -> Judgement | None:
    contrasts = [
        contrast(
            _runs(cells, "incomplete", profile, selection, model.name),
            _runs(cells, "complete", profile, selection, model.name),
            (f"{model.label(profile)} on samples", "on the complete set"),
            selection,
        )
        for selection in SELECTIONS
        for model in CGP
    ]
    return _compared(
        contrasts,
        "Sampled training sets need fewer iterations",
        "The use of incomplete training sets is found to further reduce the average number of fitness "
        "evaluations while maintaining a good level of generalisation",
        "Abstract",
        profile,
        "From about n = 10 on a sample hardly ever holds the one row on which the conjunction is true: any "
        "program that is false on the sampled rows is a success.",
    )


def _narrow_strict_fails(cells: Cells, profile: str) -> Judgement | None:
    by_size = _runs(cells, "complete", profile, "strict", "cgp-1n")
    large = {n: data for n, data in by_size.items() if n > 9}
    if not large:
        return None
    solved = sum(data.successes for data in large.values())
    runs = sum(data.runs for data in large.values())
    counts = ", ".join(f"{data.successes} at n = {n}" for n, data in by_size.items() if n >= 9)
    theirs = sum(table2()["strict", "cgp-1n", n].successes for n in large)
    asked = REPLICATIONS * len(large)
    p_value = float(stats.fisher_exact(np.array([[theirs, asked - theirs], [solved, runs - solved]])).pvalue)
    return Judgement(
        title="Strict CGP with n nodes fails for n > 9",
        quote="for 1n, CGP failed to evolve solutions for n > 9 with strict selection",
        where="Caption of Table 2; the table itself has no success from n = 9 on",
        profile=profile,
        holds=(solved == 0,),
        measured=f"{solved} of {runs} runs with n > 9 succeed, published {theirs} of {asked} (Fisher's exact "
        f"test, p = {probability(p_value)}); of {next(iter(large.values())).runs} runs each {counts}",
        remark="Within the same number of iterations some of our runs do succeed; a limit on the clock in "
        "the published runs is the likely cause."
        if solved
        else "",
    )


def _generalises(cells: Cells, profile: str) -> Judgement | None:
    abilities = []
    for selection in SELECTIONS:
        for model in MODELS:
            by_size = line(cells, "incomplete", profile, selection, model.name)
            if by_size:
                lost = np.concatenate([cell.generalisation - (1 - 2.0**-n) for n, cell in by_size.items()])
                abilities.append(
                    Ability(
                        selection,
                        model.name,
                        {n: float(cell.generalisation.mean()) for n, cell in by_size.items()},
                        lost,
                        float(stats.wilcoxon(lost).pvalue) if lost.size > 1 and np.any(lost) else 1.0,
                    )
                )
    if not abilities:
        return None
    means = [(n, mean) for ability in abilities for n, mean in ability.means.items()]
    below = sum(mean < 1 - 2.0**-n for n, mean in means)
    return Judgement(
        title="Programs found on samples generalise well",
        quote="the generalisation error is relatively low for all models considered demonstrating good "
        "generalisation abilities",
        where="Section 5, on Figure 3",
        profile=profile,
        holds=(True, below == 0),
        measured=f"mean ability at least {min(mean for _, mean in means):.2f} everywhere, but the constant "
        f"0 does better in {below} of {len(means)} cells",
        remark="As stated it holds, but the measure flatters And: a circuit that is always 0 and has learnt "
        "nothing has an expected ability of 1 − 2^(−n). Evolved programs conjoin a few inputs and err where "
        "all of these are 1.",
        abilities=tuple(abilities),
    )
