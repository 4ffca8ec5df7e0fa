"""The data of a store's tables: overview, growth with n, comparisons, smallest circuits, and origin.

Growth is three fitted models for each curve, read out in words; a comparison is a pair of cells that differ
in one option, with an effect size and tests by Holm's correction.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping
from math import isfinite
from pathlib import PurePath
from typing import Any

import numpy as np

from gatewalk.analysis.cells import CellRuns, StoreCells
from gatewalk.analysis.comparisons import Comparisons, Pair, compare_cells, differing, sentence
from gatewalk.boolean.targets import label_of
from gatewalk.campaign import store
from gatewalk.campaign.results import Results
from gatewalk.campaign.store import StoredCell
from gatewalk.campaign.store_file import explained
from gatewalk.circuit.drawing.svg import svg
from gatewalk.errors import InputError
from gatewalk.numbers import all_finite, counted, finite, fixed, number, share
from gatewalk.report.store_charts import NO_RUN, curves_along_n, left_out_note
from gatewalk.search.options import SEED
from gatewalk.search.scheduler import OnProgress
from gatewalk.stats.comparison import magnitude
from gatewalk.stats.growth import Estimate, Growth, HeldOut, growth
from gatewalk.stats.growth_fit import check_cells
from gatewalk.stats.resampling import quick_ert_interval
from gatewalk.stats.sample import Sample, success_rate
from gatewalk.stats.survival import median

COLUMNS = ("cell", "n", "planned", "runs", "solved", "rate", "rate_low", "rate_high", "ert", "ert_low",
           "ert_high", "median", "seconds")  # fmt: skip


def overview(cells: StoreCells) -> dict[str, Any]:
    """Counts over all cells, and a row for each of those that a page can show.

    >>> from gatewalk.analysis.cells import read_cells
    >>> from gatewalk.campaign import campaign, run
    >>> section = overview(read_cells(run(campaign(target="and:2", replications=5, seed=7), jobs=1)))
    >>> section["counts"]["runs"], section["rows"][0][:5]
    (5, ['and:2', 2, 5, 5, 5])
    """
    read = {cell.number: runs for cell, runs in cells.read}
    rows = [
        _row(name, cell, read.get(cell.number))
        for name, cell in zip(cells.labels, cells.stored, strict=True)
        if cell.number in read or not cell.finished
    ][:_MOST_ROWS]
    return {
        "counts": {
            "cells": len(cells.stored),
            "empty": sum(not cell.finished for cell in cells.stored),
            "unfinished": sum(0 < cell.finished < cell.planned for cell in cells.stored),
            "planned": sum(cell.planned for cell in cells.stored),
            "runs": sum(cell.finished for cell in cells.stored),
            "solved": sum(cell.solved for cell in cells.stored),
            "iterations": sum(cell.iterations for cell in cells.stored),
            "seconds": finite(sum(cell.seconds for cell in cells.stored)),
        },
        "columns": list(COLUMNS),
        "rows": rows,
        "note": left_out_note(len(cells.stored) - len(rows), "cell"),
    }


_MOST_ROWS = 1000


def _row(name: str, stored: StoredCell, cell: CellRuns | None) -> list[Any]:
    first = [name, stored.values["n"], stored.planned]
    if cell is None:
        return [*first, 0, 0, *(None for _ in range(len(COLUMNS) - 5))]
    rate = success_rate(cell.runs)
    band = quick_ert_interval(cell.runs)
    times = [stored.expected_running_time, band.low, band.high, median(cell.runs).value, stored.seconds]
    shares = [rate.rate, rate.interval.low, rate.interval.high]
    return [*first, cell.runs.runs, cell.runs.successes, *all_finite(shares, 4), *all_finite(times)]


FORMULAS = {"power": "c nᵃ", "power-log": "c nᵃ log n", "exponential": "c bⁿ"}
MOST_FITS = 16
_RESAMPLES, _FEW = 200, 8  # bootstrap resamples for at most _FEW curves; half as many for more curves
_FEWEST_RUNS = 5  # at each size; fits to fewer runs take long and say little
_POINTS = 40  # along a fitted curve
Fits = dict[str, tuple[tuple[int, ...], Growth]]  # by curve: the numbers of runs, and the fits to them


def growth_fits(
    cells: StoreCells,
    *,
    fits: Fits | None = None,
    tolerance: float = 0.0,
    resamples: int | None = None,
    on_progress: OnProgress = lambda share, words: None,
) -> dict[str, Any]:
    """The fits of every curve along n that has enough sizes.

    fits: earlier fits. A fit is repeated only if its runs have changed.
    tolerance: an earlier fit stays unless its runs have grown by more than this share.
    resamples: of the bootstrap; by default fewer if there are many curves.

    >>> from gatewalk.analysis.cells import read_cells
    >>> from gatewalk.campaign import campaign, run
    >>> sizes = campaign(target="and", n=[2, 3, 4], replications=9, seed=7)
    >>> [curve["name"] for curve in growth_fits(read_cells(run(sizes, jobs=1)), resamples=5)["curves"]]
    ['and']
    """
    fits = {} if fits is None else fits
    usable, reasons = _usable(cells)
    chosen = dict(list(usable.items())[:MOST_FITS])
    draws = resamples or (_RESAMPLES if len(chosen) <= _FEW else _RESAMPLES // 2)
    fitted = []
    for index, (name, along) in enumerate(chosen.items()):
        on_progress(index / len(chosen), f"fitting growth models, curve {index + 1} of {len(chosen)}")
        counts = tuple(data.runs for data in along.values())
        if name not in fits or not _are_alike(fits[name][0], counts, tolerance):
            fits[name] = counts, growth(along, resamples=draws)
        fitted.append(_curve(name, along, fits[name][1]))
    return {"curves": fitted, "notes": _notes(usable, chosen, reasons), "resamples": draws}


def _are_alike(before: tuple[int, ...], now: tuple[int, ...], tolerance: float) -> bool:
    return len(before) == len(now) and sum(now) <= (1 + tolerance) * sum(before)


def _usable(cells: StoreCells) -> tuple[dict[str, dict[int, Sample]], dict[str, list[str]]]:
    """The curves that can be fitted, and the names of the others by the reason why not."""
    usable: dict[str, dict[int, Sample]] = {}
    reasons: dict[str, list[str]] = {}
    for name, along in (curves_along_n(cells) if cells.read else {}).items():
        sizes = {n: data for n, data in along.items() if n > 1 and data.runs >= _FEWEST_RUNS}
        try:
            check_cells(sizes)
            usable[name] = sizes
        except InputError as error:
            reasons.setdefault(str(error), []).append(name)
    return usable, reasons


def _notes(
    usable: Mapping[str, Any], chosen: Mapping[str, Any], reasons: Mapping[str, list[str]]
) -> list[str]:
    notes = [
        f"Not fitted: {_few(names)}: {reason}, with {_FEWEST_RUNS} runs or more at each."
        for reason, names in reasons.items()
    ]
    if not usable and not reasons:
        notes.append(NO_RUN)
    if len(chosen) < len(usable):
        notes.append(
            f"{counted(len(usable) - len(chosen), 'more curve')} not fitted here, because it takes a while; "
            "gatewalk campaign plot STORE --kind growth --where COLUMN=VALUE fits those that you choose."
        )
    return notes


def _few(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 4 else f"{', '.join(names[:3])} and {len(names) - 3} more"


def _curve(name: str, along: Mapping[int, Sample], fits: Growth) -> dict[str, Any]:
    sizes = _spread(min(along), max(along))
    held_out = {prediction.model: prediction for prediction in fits.held_out}
    return {
        "name": name,
        "at": sizes,
        "models": [
            _model(estimate, held_out.get(estimate.fit.model.name), sizes) for estimate in fits.estimates
        ],
        "words": _growth_words(name, fits),
    }


def _spread(first: int, last: int) -> list[int]:
    """Whole numbers from the smallest n to the largest, closer together where they are small."""
    return sorted({round(float(size)) for size in np.geomspace(first, last, _POINTS)})


def _model(estimate: Estimate, held_out: HeldOut | None, sizes: list[int]) -> dict[str, Any]:
    fit, scale, rate = estimate.fit, estimate.scale, estimate.rate
    predicted = None
    if held_out is not None:
        low, high = held_out.interval
        predicted = [held_out.n, *all_finite([held_out.predicted, low, high, held_out.observed], 4)]
    return {
        "model": fit.model.name,
        "formula": FORMULAS[fit.model.name],
        "scale": all_finite([fit.scale, scale.low, scale.high], 4),
        "rate": all_finite([fit.rate, rate.low, rate.high], 4),
        "weight": finite(estimate.weight, 3),
        "values": all_finite((fit.mean(n) for n in sizes), 4),
        "held": predicted,
    }


def _growth_words(name: str, fits: Growth) -> str:
    """The best fit in a sentence, and what it predicts for the largest size from the smaller ones."""
    best = fits.best
    rate = "b" if best.fit.model.name == "exponential" else "a"
    span = f"{number(best.rate.low)} to {number(best.rate.high)}"
    words = (
        f"{name}: of the three models {FORMULAS[best.fit.model.name]} fits best, with "
        f"c = {number(best.fit.scale)} and {rate} = {number(best.fit.rate)} (95 %: {span}); "
        f"its Akaike weight is {fixed(best.weight, 2)}."
    )
    held_out = next((item for item in fits.held_out if item.model == best.fit.model.name), None)
    if held_out is None:
        return words
    return (
        f"{words} Fitted without n = {held_out.n} it predicts {number(held_out.predicted)} iterations there "
        f"(95 %: {number(held_out.interval.low)} to {number(held_out.interval.high)}); "
        f"fitted there: {number(held_out.observed)}."
    )


MOST_CELLS = 600  # in a store with more cells, pairs are not compared
MOST_PAIRS = 200  # shown for each option


def comparisons(cells: StoreCells, *, on_progress: OnProgress = lambda share, words: None) -> dict[str, Any]:
    """Every option that differs among cells of a target, with all its pairs.

    >>> from gatewalk.analysis.cells import read_cells
    >>> from gatewalk.campaign import campaign, run
    >>> both = campaign(target="and:4", selection=["nonstrict", "strict"], replications=30, seed=7)
    >>> (option,) = comparisons(read_cells(run(both, jobs=1)))["options"]
    >>> option["by"], option["words"].partition(".")[0]
    ('selection', '1 pair differs in selection alone')
    """
    if len(cells.runs) > MOST_CELLS:
        reason = (
            f"Pairs are compared in stores of up to {MOST_CELLS} cells with runs; this one has "
            f"{len(cells.runs) + cells.unread:,}. gatewalk campaign plot STORE --kind compare --by OPTION "
            "--where COLUMN=VALUE compares those that you choose."
        )
        return {"options": [], "notes": [reason]}
    options, notes = [], []
    names = differing(cells.runs)
    for index, by in enumerate(names):
        on_progress(index / len(names), f"comparing cells by {by}")
        try:
            options.append(_option(compare_cells(cells.runs, by)))
        except InputError:
            notes.append(f"No two cells differ in {by} alone, so it is not compared.")
    if not names:
        notes.append("No option differs among cells of the same target: there is nothing to compare.")
    return {"options": options, "notes": notes}


def _option(compared: Comparisons) -> dict[str, Any]:
    shown = compared.pairs[:MOST_PAIRS]
    return {
        "by": compared.by,
        "words": _comparison_words(compared),
        "pairs": [_pair(pair) for pair in shown],
        "note": left_out_note(len(compared.pairs) - len(shown), "pair", "; p-values are corrected for all"),
    }


def _comparison_words(compared: Comparisons) -> str:
    """In words: how many pairs differ, and how often which value is faster."""
    differ = [pair for pair in compared.pairs if pair.differs]
    count = len(compared.pairs)
    words = f"{counted(count, 'pair')} {'differs' if count == 1 else 'differ'} in {compared.by} alone. "
    if not differ:
        return f"{words}No difference is shown in any of them."
    faster = Counter((_faster(pair), _slower(pair)) for pair in differ)
    told = [
        f"{first} is faster than {second}" + (f" in {times:,}" if len(faster) > 1 else "")
        for (first, second), times in faster.most_common(6)
    ]
    more = ", ..." if len(faster) > 6 else ""
    where = (
        "" if count == 1 else " in all of them" if len(differ) == count else f" in {len(differ):,} of them"
    )
    return f"{words}A difference is shown{where}: {', '.join(told)}{more}."


def _faster(pair: Pair) -> str:
    return pair.first if pair.a12 >= 0.5 else pair.second


def _slower(pair: Pair) -> str:
    return pair.second if pair.a12 >= 0.5 else pair.first


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "cells": pair.label,
        "first": pair.first,
        "second": pair.second,
        "a12": all_finite([pair.a12, pair.interval.low, pair.interval.high], 3),
        "effect": magnitude(pair.a12),
        "ert": all_finite(pair.ert, 4),
        "rankSum": finite(pair.rank_sum_holm, 3),
        "logRank": finite(pair.log_rank_holm, 3),
        "differs": pair.differs,
        "words": sentence(pair),
    }


MOST_CIRCUITS = 24
_MOST_GATES = 80  # a larger circuit is not drawn on a page
_MOST_BYTES = 60_000  # of one drawing
_MOST_INPUTS = 200


def circuits(
    results: Results, cells: StoreCells, *, on_progress: OnProgress = lambda share, words: None
) -> dict[str, Any]:
    """Drawings of the smallest circuits, as SVG.

    >>> from gatewalk.analysis.cells import read_cells
    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target="and:3", replications=5, seed=7), jobs=1)
    >>> [circuit["gates"] for circuit in circuits(results, read_cells(results))["drawn"]]
    [2]
    """
    best = _smallest(cells)
    if not best:
        reason = "No run has solved its task yet." if cells.read else NO_RUN
        return {"drawn": [], "reason": reason, "note": ""}
    drawn = []
    chosen = list(best.items())[:MOST_CIRCUITS]
    for index, (target, (stored, cell, run)) in enumerate(chosen):
        on_progress(index / len(chosen), f"drawing the smallest circuit for {label_of(target)}")
        drawn.append({"target": label_of(target), **_drawn(results, stored, cell, run)})
    return {"drawn": drawn, "reason": "", "note": left_out_note(len(best) - len(chosen), "target")}


def _smallest(cells: StoreCells) -> dict[str, tuple[StoredCell, CellRuns, int]]:
    """For each target, the index of the run whose circuit has the fewest gates; the first of several.

    A run on a sampled training set counts only if there is none on the complete set; of those, the ones that
    do best on validation rows come first, because a small circuit may fit few rows by chance.
    """
    best: dict[str, tuple[tuple[bool, float, int], tuple[StoredCell, CellRuns, int]]] = {}
    for stored, cell in cells.read:
        solved = np.flatnonzero(cell.columns["solved"])
        if not solved.size:
            continue
        gates = np.asarray(cell.columns["gates"])[solved]
        shares = np.asarray(cell.columns["generalisation"], dtype=np.float64)[solved]
        first = int(np.lexsort((gates, -shares))[0])
        target = cell.values["target"]
        sampled = not np.isnan(shares[first])
        rank = (sampled, -float(shares[first]) if sampled else 0.0, int(gates[first]))
        if target not in best or rank < best[target][0]:
            best[target] = (rank, (stored, cell, int(solved[first])))
    return {target: smallest for target, (_, smallest) in best.items()}


def _drawn(results: Results, stored: StoredCell, cell: CellRuns, index: int) -> dict[str, Any]:
    number = int(cell.columns["run"][index])
    circuit = results.run(stored, number).circuit
    simple = circuit.simplify()
    words = counted(len(simple), "gate")
    if len(simple) < len(circuit):
        words += f" after simplification, {len(circuit):,} as evolved"
    words += f", run {number:,} of {cell.label}."
    ability = float(cell.columns["generalisation"][index])
    if isfinite(ability):
        right = "all" if ability == 1 else share(ability)
        words += f" It fits a sampled training set; on validation rows {right} of its outputs are right."
    picture = None
    if len(simple) > _MOST_GATES or len(simple.input_labels) > _MOST_INPUTS:
        words += " It is too large to draw here; gatewalk evolve --out writes such a circuit as a file."
    else:
        picture = svg(simple)
        if len(picture) > _MOST_BYTES:
            picture, words = None, f"{words} Its drawing is too large for this page."
    return {"svg": picture, "words": words, "gates": len(simple)}


_LONGEST_TEXT = 60_000  # characters of a campaign's file that are shown
_MOST_SEEDS = 10


def origin(results: Results, cells: StoreCells) -> dict[str, Any]:
    """What the store noted at the latest start of its campaign, as pairs of words, and the campaign's file.

    >>> from gatewalk.analysis.cells import read_cells
    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target="and:2", replications=5, seed=7), jobs=1)
    >>> dict(origin(results, read_cells(results))["pairs"])["seed"]
    '7'
    """
    with explained(results.name):
        campaign = store.latest_campaign(results.connection)
    pairs = [("store", PurePath(results.name).name)]
    seeds = sorted({cell.values[SEED.name] for cell in cells.stored})
    if seeds:
        more = f" and {len(seeds) - _MOST_SEEDS} more" if len(seeds) > _MOST_SEEDS else ""
        pairs.append(
            ("seed" if len(seeds) == 1 else "seeds", ", ".join(map(str, seeds[:_MOST_SEEDS])) + more)
        )
    if not campaign:
        return {"name": "", "state": "empty", "pairs": pairs, "text": ""}
    if campaign["source"]:
        pairs.append(("campaign file", PurePath(campaign["source"]).name))
    pairs.append(("started", _moment(campaign["started"])))
    if campaign["stopped"] is not None:
        pairs.append(("ended", f"{_moment(campaign['stopped'])} ({campaign['state']})"))
    pairs += [("processor", campaign["processor"]), ("workers", campaign["executor"])]
    pairs += _versions(campaign["packages"])
    text = campaign["text"]
    if len(text) > _LONGEST_TEXT:
        text = f"{text[:_LONGEST_TEXT]}\n... ({len(text):,} characters in all)"
    return {"name": campaign["name"], "state": campaign["state"], "pairs": pairs, "text": text}


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(seconds))


def _versions(text: str) -> list[tuple[str, str]]:
    """The versions of packages; empty if the text is not what a campaign writes."""
    try:
        versions = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(versions, dict):
        return []
    return [(str(name), str(version)) for name, version in list(versions.items())[:50]]
