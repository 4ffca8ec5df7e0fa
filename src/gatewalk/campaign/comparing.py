"""A small campaign in one call: `gatewalk.compare`.

It is a campaign like any other, whose store is in memory unless a file is given: its results have the
statistics, figures, pages and exports of every campaign, and are the same runs.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from typing import Any, Unpack

from gatewalk.campaign.execution import Progress, run
from gatewalk.campaign.planning import doubts_of, plan
from gatewalk.campaign.results import Results
from gatewalk.campaign.spec import Campaign, ManyWords, campaign
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.errors import InputError, whole_number
from gatewalk.numbers import counted, duration
from gatewalk.search.evolve import say_budgets
from gatewalk.search.options import Search, changed_options, identity_of, start_text
from gatewalk.search.scheduler import OnProgress, progress_bar
from gatewalk.tgp.tgp_search import TgpSearch

NAME = "the comparison"  # what messages call results in memory


def compare(
    target: object,
    *,
    runs: int = 100,
    seed: int = 0,
    jobs: int | None = None,
    store: str | os.PathLike[str] | None = None,
    traces: bool = True,
    on_progress: OnProgress | None = None,
    **words: Unpack[ManyWords],
) -> Results:
    """Run searches that differ in some settings, each many times, and return the runs to be compared.

    It is a campaign in memory, and returns what every campaign does: `results.compare("nodes")`, `plot`,
    `growth`, `report`, `export`, `where`, `to_frame`. The words are those of `evolve`, each a value or a list
    of values; lists are crossed. After two seconds a bar shows how far the runs are, on a terminal or in a
    notebook.

    target: a target as `evolve` takes it, or a search; or a list of them. A target without a size, such as
        "and", is crossed with the sizes in `n`. Searches take no further words.
    runs: how many runs each search makes; those of `run_many` with the same seed.
    jobs: threads, by default one for each processor.
    store: a file to keep the runs in, so that neither Ctrl-C nor the end of the program loses them; if it has
        some of them, only the others are made.
    traces: whether the courses of the fitness are kept, for `plot("fixed-target")` and
        `to_frame("improvements")`.
    on_progress: told the share done and a few words several times a second, in place of the bar.

    >>> results = compare("and:6", nodes=["n", "2n"], selection=["strict", "nonstrict"], runs=50, seed=1)
    >>> results
    <Results of the comparison: 4 cells, 200 runs>
    >>> results.compare("selection")
    <Comparisons by selection: 2 pairs, 1 differ>
    """
    whole_number("runs", runs, least=1)
    wanted = _campaign(target, words, replications=runs, seed=seed, traces=traces)
    cells = plan(wanted)
    for doubt in doubts_of(cells):
        warnings.warn(doubt, stacklevel=2)
    if words.get("budget") is None:
        say_budgets(cell.search for cell in cells)
    with progress_bar("compare", on_progress) as show:

        def watch(progress: Progress) -> None:
            show(progress.done / max(1, progress.planned), _words(progress))

        results = run(wanted, store, cells=cells, jobs=jobs, watch=watch)
    return results if store is not None else replace(results, name=NAME)


def _words(progress: Progress) -> str:
    words = f"{progress.done:,} of {counted(progress.planned, 'run')}"
    left = progress.seconds_left
    return f"{words}, about {duration(left)} left" if left else words


def _campaign(target: object, words: Any, **common: Any) -> Campaign:
    """The campaign that the words of `compare` describe: one grid, or one for each search."""
    entries: list[Any] = list(target) if isinstance(target, (list, tuple)) else [target]
    searches = [entry for entry in entries if isinstance(entry, (CgpSearch, TgpSearch))]
    if not searches:
        return campaign(target=entries, **common, **words)
    if words:
        raise InputError(f"a search takes no further words; remove {', '.join(words)}")
    if len(searches) < len(entries):
        raise InputError("a list of targets has either searches only or none; use search_for for the others")
    parts = [campaign(**common, **words_of(search)) for search in searches]
    return replace(parts[0], grids=tuple(grid for part in parts for grid in part.grids))


def words_of(search: Search) -> dict[str, Any]:
    """The words of `search_for` that make this search again.

    >>> from gatewalk import search_for
    >>> search = search_for("maj:3", mutation="point:2", ties="coin")
    >>> search_for(**words_of(search)) == search
    True
    """
    words = {
        "target": search.target.name,
        "algorithm": search.algorithm,
        "selection": identity_of(search.selection),
        "profile": search.profile,
        "options": changed_options(search),
        "training": str(search.training),
        "gates": str(search.gates),
        "offspring": search.offspring,
        "budget": search.budget,
        "start": start_text(search),
        "evaluation": search.evaluation,
    }
    if isinstance(search, CgpSearch):
        words |= {"nodes": search.nodes, "mutation": identity_of(search.mutation)}
    return words
