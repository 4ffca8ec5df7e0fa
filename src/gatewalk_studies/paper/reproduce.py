"""The whole reproduction: runs, then tables, figures and the page, into one folder."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gatewalk.extras import need
from gatewalk.numbers import probability
from gatewalk.report import tables
from gatewalk.report.page import provenance
from gatewalk.search.scheduler import threads
from gatewalk.studies.paper.agreement import (
    Agreement,
    ChiSquare,
    agreements,
    chi_squares,
    figure3_chi_square,
    together,
)
from gatewalk.studies.paper.claims import Claim, claims
from gatewalk.studies.paper.discrepancies import oddities
from gatewalk.studies.paper.exact import Moments, exact_table, exact_times
from gatewalk.studies.paper.experiments import Cell, Cells, Place, Request, Watch, measure
from gatewalk.studies.paper.gallery import pictures
from gatewalk.studies.paper.models import CGP, MODELS, PROFILE_WORDS, PROFILES, SELECTIONS
from gatewalk.studies.paper.page import Content, page
from gatewalk.studies.paper.published import SOURCE
from gatewalk.studies.paper.scaling import Scaling, scalings
from gatewalk.studies.paper.summaries import (
    cell_table,
    chi_square_table,
    claim_table,
    scaling_table,
    table2,
    table2_data,
)
from gatewalk.studies.paper.workers import Later, Promise, workers

STORE = "runs.sqlite"
UPPER_HALF = 9  # the least n of the fits to larger sizes, which are closer to asymptotic exponents
Say = Callable[[str], None]


@dataclass(frozen=True)
class Report:
    """The result: the page, and a summary of a few lines."""

    page: Path
    summary: tuple[str, ...]


def reproduce(
    request: Request,
    out: Path,
    *,
    jobs: int | None = None,
    watch: Watch | None = None,
    say: Say = lambda _: None,
    command: str = "gatewalk paper",
) -> Report:
    """Make the runs that the folder's store lacks, and write everything else anew.

    jobs: the number of threads for runs, and of processes for fits and figures; by default one per processor.
    With 1, everything happens in the calling thread.
    """
    need("matplotlib", "drawing figures")
    out.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    with workers(threads(jobs)) as later:
        complete = replace(request, parts=tuple(part for part in request.parts if part != "incomplete"))
        cells = measure(complete, out / STORE, jobs=jobs, watch=watch)
        analysis = analyse(request, cells, later=later)
        if "incomplete" in request.parts:  # short runs, during which processors are free for the analysis
            sampled = replace(request, parts=("incomplete",))
            cells |= measure(sampled, out / STORE, jobs=jobs, watch=watch)
        say(f"runs are complete ({time.perf_counter() - began:.0f} s)")
        return write(request, cells, analysis, out, later=later, say=say, command=command)


@dataclass(frozen=True)
class Analysis:
    """The results of analysing the cells on complete sets, each as a promise.

    exact: moments from Markov chains. grown, grown_upper: growth curves of And on all sizes and on the larger
    ones; grown_xor: of Xor. compared: agreement with the published numbers, by profile.
    """

    exact: list[Promise[dict[Place, Moments]]]
    grown: list[Promise[list[Scaling]]]
    grown_upper: list[Promise[list[Scaling]]]
    grown_xor: Promise[list[Scaling]]
    compared: dict[str, Promise[list[Agreement]]]


def analyse(request: Request, cells: Cells, *, later: Later) -> Analysis:
    """Start the slow parts of the analysis in other processes; `write` waits for their results."""
    profiles = _profiles(request, cells)
    parts = {
        (part, profile): {p: cell for p, cell in cells.items() if (p.part, p.profile) == (part, profile)}
        for part in ("complete", "xor")
        for profile in PROFILES
    }
    return Analysis(
        exact=[later(exact_times, own) for own in parts.values()],
        grown=[later(scalings, parts["complete", profile], "complete", profile) for profile in profiles],
        grown_upper=[
            later(scalings, parts["complete", profile], "complete", profile, least=UPPER_HALF)
            for profile in profiles
        ],
        grown_xor=later(scalings, parts["xor", "paper"], "xor", "paper"),
        compared={profile: later(agreements, parts["complete", profile], profile) for profile in profiles},
    )


def _profiles(request: Request, cells: Cells) -> list[str]:
    return [profile for profile in request.profiles if any(place.profile == profile for place in cells)]


def write(
    request: Request,
    cells: dict[Place, Cell],
    analysis: Analysis,
    out: Path,
    *,
    later: Later,
    say: Say,
    command: str = "gatewalk paper",
) -> Report:
    """Tables, figures and the page of these cells."""
    profiles = _profiles(request, cells)
    say("comparing with the published numbers")
    found = {profile: promised() for profile, promised in analysis.compared.items()}
    compared = {profile: found.get(profile, []) for profile in profiles}
    squares = [square for profile in profiles for square in chi_squares(compared[profile], profile)]
    judged = [claim for profile in profiles for claim in claims(cells, profile)]
    titles = list(dict.fromkeys(claim.title for claim in judged))
    judged.sort(key=lambda claim: titles.index(claim.title))
    say("fitting growth curves")
    upper = [row for promised in analysis.grown_upper for row in promised()]
    grown = [row for promised in analysis.grown for row in promised()] + upper + analysis.grown_xor()
    say("solving Markov chains")
    solved = {place: value for promised in analysis.exact for place, value in promised().items()}
    exact = {place: solved[place] for place in cells if place in solved}
    say("drawing figures")
    content = Content(
        source=SOURCE,
        summary=summary(compared, squares, judged),
        claims=judged,
        claim_table=claim_table(judged),
        chi_squares=_chi_square_tables(cells, squares, profiles),
        agreement_words=_words(compared, squares, request),
        oddities={profile: oddities(cells, compared[profile], profile) for profile in profiles},
        pictures=pictures(cells, profiles, upper, grown, exact, out / "figures", later=later, say=say),
        growth=scaling_table(grown) if grown else None,
        exact=exact_table(cells, exact) if exact else None,
        table2=[(f"table2-{p}", table2(compared[p], p)) for p in profiles if compared[p]],
        commands=_commands(command),
        versions=_versions(request),
        data=_data_files(cells),
    )
    _write_tables(content, compared, cells, out)
    target = out / "index.html"
    target.write_text(page(content), encoding="utf-8")
    return Report(target, tuple(content.summary))


def summary(
    compared: dict[str, list[Agreement]], squares: Sequence[ChiSquare], judged: Sequence[Claim]
) -> list[str]:
    """The main results in a few lines."""
    lines = []
    for profile, found in compared.items():
        if not found:
            continue
        nonstrict = nonstrict_cgp(squares, profile)
        counts = Counter(cell.verdict for cell in found)
        lines.append(
            f"Profile {profile} ({PROFILE_WORDS[profile]}): {counts['agrees']} of {len(found)} published "
            f"cells agree, {counts['borderline']} are borderline, {counts['differs']} differ; chi-square of "
            f"the non-strict CGP means {nonstrict.statistic:.1f} at {nonstrict.degrees} degrees of freedom, "
            f"p = {probability(nonstrict.p_value)}."
        )
    for title in dict.fromkeys(claim.title for claim in judged):
        verdicts: dict[str, list[str]] = {}
        for claim in judged:
            if claim.title == title:
                verdicts.setdefault(claim.verdict, []).append(claim.profile)
        said = "; ".join(
            f"{verdict} ({'profile ' if len(names) == 1 else 'profiles '}{' and '.join(names)})"
            for verdict, names in verdicts.items()
        )
        lines.append(f"{title}: {said}.")
    return lines


def nonstrict_cgp(squares: Sequence[ChiSquare], profile: str) -> ChiSquare:
    """The 39 non-strict CGP means as one chi-square: the sharpest test of how published runs were made."""
    names = {model.name for model in CGP}
    chosen = [s for s in squares if s.profile == profile and s.selection == "nonstrict" and s.model in names]
    return together(chosen, "CGP, all three")


def _chi_square_tables(
    cells: Cells, squares: Sequence[ChiSquare], profiles: Sequence[str]
) -> list[tables.Table]:
    shown: list[ChiSquare] = []
    for profile in profiles:
        own = [square for square in squares if square.profile == profile and square.degrees]
        if own:
            shown += [*own, nonstrict_cgp(squares, profile)]
    found = [chi_square_table(shown, "Table 2: published means against ours")]
    for quantity, words in (("runtime", "iterations"), ("generalisation", "generalisation ability")):
        rows = [
            figure3_chi_square(cells, profile, selection, model.name, quantity)
            for profile in profiles
            for selection in SELECTIONS
            for model in MODELS
        ]
        title = f"Figure 3: published mean {words} against ours"
        note = (
            "Strict CGP is heavy-tailed on samples: among hundreds of runs of some twenty iterations there "
            "are a few of thousands, and a mean of 30 runs is large if it happens to hold one of these."
        )
        kept = [row for row in rows if row.degrees]
        found.append(chi_square_table(kept, title, note if quantity == "runtime" else ""))
    return found


def _words(compared: dict[str, list[Agreement]], squares: Sequence[ChiSquare], request: Request) -> list[str]:
    if not any(compared.values()):
        return []
    words = [
        "If the published 30 runs of a cell came from the distribution of ours, the difference of the means "
        "is about one standard error, and the squares of these differences, summed over the 13 sizes, follow "
        "a chi-square distribution. "
        + (
            f"Cells of trees and of non-strict CGP were run {request.comparison} times for these tests; all "
            f"others, and all figures, have {request.replications} runs per cell."
            if request.comparison > request.replications
            else f"Every cell has {request.replications} runs."
        )
    ]
    for profile in compared:
        square = nonstrict_cgp(squares, profile)
        if square.degrees:
            verdict = {
                "agrees": "cannot be told from the published runs",
                "borderline": "is hard to reconcile with the published runs",
                "differs": "is not what was run",
            }[square.verdict]
            words.append(
                f"Profile {profile}: the {square.degrees} non-strict CGP means give a chi-square of "
                f"{square.statistic:.1f}, p = {probability(square.p_value)}: the profile {verdict}. "
                "(With our standard deviations alone, instead of pooled ones: "
                f"{_own_sum(compared[profile]):.1f}.)"
            )
    return words


def _own_sum(compared: Sequence[Agreement]) -> float:
    """The same sum for non-strict CGP with standard errors from our runs alone, without published ones."""
    names = {model.name for model in CGP}
    return sum(
        cell.own_errors**2
        for cell in compared
        if cell.place.selection == "nonstrict"
        and cell.place.model in names
        and cell.own_errors == cell.own_errors
    )


def _commands(command: str) -> list[str]:
    return [
        "make install                          # or: pip install 'gatewalk[all]'",
        f"{command}",
        "gatewalk paper --replications 1000    # smooth curves; only the missing runs are done",
    ]


def _versions(request: Request) -> list[tuple[str, str]]:
    return [
        ("replications", str(request.replications)),
        ("budget", f"{request.budget:,} iterations"),
        ("seed", str(request.seed)),
        *provenance(),
    ]


def _data_files(cells: Cells) -> list[tuple[str, str]]:
    parts = sorted({place.part for place in cells})
    files = [(f"data/{part}.csv", f"every cell of the part {part}") for part in parts]
    files.append((STORE, "every run with its program; gatewalk campaign status|export reads it"))
    return files


def _write_tables(content: Content, compared: dict[str, list[Agreement]], cells: Cells, out: Path) -> None:
    folder = out / "tables"
    for name, table in content.table2:
        tables.save(table, folder, name)
        profile = name.removeprefix("table2-")
        data = table2_data(compared[profile], profile)
        (folder / f"{name}.csv").write_text(tables.as_csv(data), encoding="utf-8")
    named = {
        "claims": content.claim_table,
        "growth": content.growth,
        "exact": content.exact,
        "chi-square-table2": content.chi_squares[0],
        "chi-square-figure3-iterations": content.chi_squares[1],
        "chi-square-figure3-generalisation": content.chi_squares[2],
    }
    for name, kept in named.items():
        if kept is not None and kept.rows:
            tables.save(kept, folder, name)
    (out / "data").mkdir(exist_ok=True)
    for part in {place.part for place in cells}:
        (out / "data" / f"{part}.csv").write_text(tables.as_csv(cell_table(cells, part)), encoding="utf-8")
