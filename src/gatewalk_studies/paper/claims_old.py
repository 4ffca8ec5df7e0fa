"""The claims of the paper about its experiments, and what our runs say about each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import stats

from gatewalk.numbers import probability
from gatewalk.stats.sample import Sample
from gatewalk.studies.paper.contrasts import Contrast, contrast, holds
from gatewalk.studies.paper.experiments import Cells, line
from gatewalk.studies.paper.models import CGP, MODELS, SELECTION_WORDS, SELECTIONS, TGP
from gatewalk.studies.paper.published import REPLICATIONS, table2


@dataclass(frozen=True)
class Evidence:
    """One line of evidence in words; that of a contrast also has its numbers."""

    text: str
    contrast: Contrast | None = None
    holds: bool | None = None


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper with the verdict of the runs of one profile."""

    title: str
    quote: str
    where: str
    profile: str
    verdict: str
    remark: str
    evidence: tuple[Evidence, ...]


def claims(cells: Cells, profile: str) -> list[Claim]:
    """Every claim that these runs can judge."""
    judges: list[Callable[[Cells, str], Claim | None]] = [
        _trees_faster,
        _nodes_help,
        _strict_hurts,
        _narrow_strict_fails,
        _nodes_help_incomplete,
        _samples_cheaper,
        _generalises,
    ]
    found = (make(cells, profile) for make in judges)
    return [claim for claim in found if claim is not None]


def _runs(cells: Cells, part: str, profile: str, selection: str, model: str) -> dict[int, Sample]:
    return {n: cell.runs for n, cell in line(cells, part, profile, selection, model).items()}


def _judged(
    contrasts: list[Contrast], title: str, quote: str, where: str, profile: str, remark: str = ""
) -> Claim | None:
    contrasts = [found for found in contrasts if found.sizes]
    if not contrasts:
        return None
    clear = holds(contrasts)
    against = sorted({n for found in contrasts for n in found.against})
    if all(clear):
        verdict = "confirmed"
        if against:
            verdict += f", but not at n = {_listed(against)}"
    elif any(clear):
        verdict = f"confirmed in {sum(clear)} of {len(clear)} comparisons"
    else:
        verdict = "not confirmed"
    evidence = tuple(
        Evidence(_sentence(found), found, good) for found, good in zip(contrasts, clear, strict=True)
    )
    return Claim(title, quote, where, profile, verdict, remark, evidence)


def _sentence(found: Contrast) -> str:
    text = f"{found.first} against {found.second}, {SELECTION_WORDS[found.selection]}"
    if found.against:
        text += f"; the other way at n = {_listed(found.against)}"
    return text


def _listed(sizes: list[int] | tuple[int, ...]) -> str:
    """3, 4, 5, 9 as "3-5, 9"."""
    parts: list[list[int]] = []
    for n in sizes:
        if parts and parts[-1][-1] == n - 1:
            parts[-1].append(n)
        else:
            parts.append([n])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in parts)


def _trees_faster(cells: Cells, profile: str) -> Claim | None:
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
    return _judged(
        contrasts,
        "Trees are faster than CGP on complete training sets",
        "It can be clearly seen that the considered TGP models perform generally better in this scenario.",
        "Section 5, on Figure 2",
        profile,
        "For the smallest n a random CGP program with spare nodes often is a solution already.",
    )


def _nodes_help(cells: Cells, profile: str, part: str = "complete") -> Claim | None:
    contrasts = [
        contrast(
            _runs(cells, part, profile, selection, more.name),
            _runs(cells, part, profile, selection, fewer.name),
            (more.label(profile), fewer.label(profile)),
            selection,
        )
        for selection in SELECTIONS
        for fewer, more in pairwise(CGP)
    ]
    incomplete = part == "incomplete"
    return _judged(
        contrasts,
        "More nodes make CGP faster" + (" on sampled training sets too" if incomplete else ""),
        "increasing the number of function nodes improves the search performance of CGP in terms of running "
        "time for both selection strategies"
        if incomplete
        else "increasing the number of function nodes generally improves the search performance of CGP",
        "Section 5, on Figure 3" if incomplete else "Section 5, on Figure 2",
        profile,
    )


def _nodes_help_incomplete(cells: Cells, profile: str) -> Claim | None:
    return _nodes_help(cells, profile, "incomplete")


def _strict_hurts(cells: Cells, profile: str) -> Claim | None:
    contrasts = [
        contrast(
            _runs(cells, "complete", profile, "nonstrict", model.name),
            _runs(cells, "complete", profile, "strict", model.name),
            (f"{model.label(profile)} non-strict", "strict"),
            "nonstrict",
        )
        for model in CGP
    ]
    return _judged(
        contrasts,
        "Strict selection makes CGP slower",
        "using strict selection deteriorates its performance",
        "Section 5, on Figure 2",
        profile,
        "At the smallest n the difference is small: few searches meet a plateau at all.",
    )


def _samples_cheaper(cells: Cells, profile: str) -> Claim | None:
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
    return _judged(
        contrasts,
        "Sampled training sets need fewer iterations",
        "The use of incomplete training sets is found to further reduce the average number of fitness "
        "evaluations while maintaining a good level of generalisation.",
        "Abstract",
        profile,
        "From about n = 10 on a sample hardly ever holds the one row on which the conjunction is true: any "
        "program that is false on the sampled rows is a success.",
    )


def _narrow_strict_fails(cells: Cells, profile: str) -> Claim | None:
    found = _runs(cells, "complete", profile, "strict", "cgp-1n")
    large = {n: data for n, data in found.items() if n > 9}
    if not large:
        return None
    solved = sum(data.successes for data in large.values())
    runs = sum(data.runs for data in large.values())
    counts = ", ".join(f"{data.successes} at n = {n}" for n, data in found.items() if n >= 9)
    theirs = sum(table2()["strict", "cgp-1n", n].successes for n in large)
    asked = REPLICATIONS * len(large)
    p_value = float(stats.fisher_exact(np.array([[theirs, asked - theirs], [solved, runs - solved]])).pvalue)
    return Claim(
        "Strict CGP with n nodes fails for n > 9",
        "for 1n, CGP failed to evolve solutions for n > 9 with strict selection",
        "Caption of Table 2; the table itself has no success from n = 9 on",
        profile,
        "confirmed" if solved == 0 else f"not confirmed: {solved} of {runs} runs with n > 9 succeed",
        ""
        if solved == 0
        else "Within the same number of iterations some of our runs do succeed; a limit on the clock in the "
        "published runs is the likely cause.",
        (
            Evidence(f"Successes of {next(iter(large.values())).runs} runs each: {counts}."),
            Evidence(
                f"n > 9: published {theirs} of {asked}, ours {solved} of {runs}; Fisher's exact test, "
                f"p = {probability(p_value)}."
            ),
        ),
    )


def _generalises(cells: Cells, profile: str) -> Claim | None:
    evidence = []
    lowest = 1.0
    below, compared = 0, 0
    for selection in SELECTIONS:
        for model in MODELS:
            found = line(cells, "incomplete", profile, selection, model.name)
            if not found:
                continue
            means = {n: float(cell.generalisation.mean()) for n, cell in found.items()}
            lost = np.concatenate([cell.generalisation - (1 - 2.0**-n) for n, cell in found.items()])
            p_value = float(stats.wilcoxon(lost).pvalue) if lost.size > 1 and np.any(lost) else 1.0
            last, least = max(means), min(means, key=lambda n: means[n])
            lowest = min(lowest, means[least])
            compared += len(means)
            below += sum(value < 1 - 2.0**-n for n, value in means.items())
            text = (
                f"{model.label(profile)}, {SELECTION_WORDS[selection]}: mean ability "
                f"{np.mean(list(means.values())):.3f}, lowest {means[least]:.3f} at n = {least}, "
                f"{means[last]:.3f} at n = {last}; {lost.mean():+.3f} to the constant 0 "
                f"(signed ranks, p = {probability(p_value)}, {lost.size} runs)"
            )
            evidence.append(Evidence(text))
    if not evidence:
        return None
    return Claim(
        "Programs found on samples generalise well",
        "the generalisation error is relatively low for all models considered demonstrating good "
        "generalisation abilities",
        "Section 5, on Figure 3",
        profile,
        f"confirmed as stated: mean ability at least {lowest:.2f} everywhere, but the constant 0 does "
        f"better in {below} of {compared} cells",
        "The measure flatters And: a circuit that is always 0 and has learnt nothing has an expected "
        "ability of 1 − 2^(−n). Evolved programs conjoin a few inputs and err where all of these are 1.",
        tuple(evidence),
    )
