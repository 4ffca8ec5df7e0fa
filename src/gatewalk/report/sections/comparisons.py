"""Pairs of cells that differ in one option: effect sizes and tests with Holm's correction, in plain words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from gatewalk.analysis.comparing import Comparisons, Pair, compare_cells, differing, sentence
from gatewalk.analysis.statistics import magnitude
from gatewalk.errors import InputError
from gatewalk.report.sections.cells import Cells, Tell
from gatewalk.report.sections.numbers import all_finite, counted, finite

MOST_CELLS = 600  # in a store with more cells, pairs are not compared
MOST_PAIRS = 200  # shown for each option


def comparisons(cells: Cells, *, tell: Tell | None = None) -> dict[str, Any]:
    """Every option that differs among cells of a target, with all its pairs.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> from gatewalk.report.sections.cells import read_cells
    >>> both = campaign(target="and:4", selection=["nonstrict", "strict"], replications=30, seed=7)
    >>> found = comparisons(read_cells(run(both, jobs=1)))
    >>> found["options"][0]["by"], found["options"][0]["words"].partition(".")[0]
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
    for place, by in enumerate(names):
        if tell is not None:
            tell(f"comparing by {by}", place / len(names))
        try:
            options.append(_option(compare_cells(cells.runs, by)))
        except InputError:
            notes.append(f"No two cells differ in {by} alone, so it is not compared.")
    if not names:
        notes.append("No option differs among cells of the same target: there is nothing to compare.")
    return {"options": options, "notes": notes}


def _option(found: Comparisons) -> dict[str, Any]:
    shown = found.pairs[:MOST_PAIRS]
    left_out = len(found.pairs) - len(shown)
    return {
        "by": found.by,
        "words": _words(found),
        "pairs": [_pair(pair) for pair in shown],
        "note": f"{counted(left_out, 'more pair')} left out of this page; p-values are corrected for all."
        if left_out
        else "",
    }


def _words(found: Comparisons) -> str:
    """In words: how many pairs differ, and how often which value is faster."""
    differ = [pair for pair in found.pairs if pair.differs]
    count = len(found.pairs)
    words = f"{counted(count, 'pair')} {'differs' if count == 1 else 'differ'} in {found.by} alone. "
    if not differ:
        return f"{words}No difference is shown in any of them."
    faster = Counter((_faster(pair), _slower(pair)) for pair in differ)
    told = [f"{first} is faster than {second} in {times}" for (first, second), times in faster.most_common(6)]
    more = ", ..." if len(faster) > 6 else ""
    return f"{words}A difference is shown in {len(differ):,} of them: {', '.join(told)}{more}."


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
        "rankSum": finite(pair.rank_sum_holm, 2),
        "logRank": finite(pair.log_rank_holm, 2),
        "differs": pair.differs,
        "words": sentence(pair),
    }
