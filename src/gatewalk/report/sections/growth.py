"""How running times grow with n: three fitted models for each curve, read out in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gatewalk.analysis.growth import Estimate, Growth, HeldOut, check_cells, growth
from gatewalk.analysis.statistics import Sample
from gatewalk.errors import InputError
from gatewalk.report.sections.cells import Cells, Tell
from gatewalk.report.sections.numbers import all_finite, counted, finite
from gatewalk.report.sections.times import curves_along_n
from gatewalk.report.tables import number

FORMULAS = {"power": "c nᵃ", "power-log": "c nᵃ log n", "exponential": "c bⁿ"}
MOST_FITS = 16
_RESAMPLES, _FEW = 200, 8  # bootstrap resamples for at most _FEW curves; half as many for more curves
_FEWEST_RUNS = 5  # at each size; fits to fewer runs take long and say little
_POINTS = 40  # along a fitted curve
Fits = dict[str, tuple[tuple[int, ...], Growth]]  # by curve: the numbers of runs, and the fits to them


def growth_fits(
    cells: Cells,
    *,
    fits: Fits | None = None,
    tolerance: float = 0.0,
    resamples: int | None = None,
    tell: Tell | None = None,
) -> dict[str, Any]:
    """The fits of every curve along n that has enough sizes.

    Parameters
    ----------
    cells
        The cells of a store.
    fits
        Earlier fits. A fit is repeated only if its runs have changed.
    tolerance
        An earlier fit is kept unless its runs have grown by more than this share.
    resamples
        Of the bootstrap; by default fewer if there are many curves.
    tell
        Called with the current step in words and the share of the work that is done.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> from gatewalk.report.sections.cells import read_cells
    >>> sizes = campaign(target="and", n=[2, 3, 4], replications=9, seed=7)
    >>> [one["name"] for one in growth_fits(read_cells(run(sizes, jobs=1)), resamples=5)["curves"]]
    ['and']
    """
    fits = {} if fits is None else fits
    usable, reasons = _usable(cells)
    chosen = dict(list(usable.items())[:MOST_FITS])
    draws = resamples or (_RESAMPLES if len(chosen) <= _FEW else _RESAMPLES // 2)
    found = []
    for place, (name, along) in enumerate(chosen.items()):
        if tell is not None:
            tell(f"fitting curve {place + 1} of {len(chosen)}", place / len(chosen))
        counts = tuple(data.runs for data in along.values())
        if name not in fits or not _are_alike(fits[name][0], counts, tolerance):
            fits[name] = counts, growth(along, resamples=draws)
        found.append(_curve(name, along, fits[name][1]))
    return {"curves": found, "notes": _notes(usable, chosen, reasons), "resamples": draws}


def _are_alike(before: tuple[int, ...], now: tuple[int, ...], tolerance: float) -> bool:
    return len(before) == len(now) and sum(now) <= (1 + tolerance) * sum(before)


def _usable(cells: Cells) -> tuple[dict[str, dict[int, Sample]], dict[str, list[str]]]:
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
        notes.append("There is no finished run yet.")
    if len(chosen) < len(usable):
        notes.append(
            f"{counted(len(usable) - len(chosen), 'more curve')} not fitted here, because it takes a while; "
            "gatewalk campaign plot STORE --kind growth --where COLUMN=VALUE fits those that you choose."
        )
    return notes


def _few(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 4 else f"{', '.join(names[:3])} and {len(names) - 3} more"


def _curve(name: str, along: Mapping[int, Sample], found: Growth) -> dict[str, Any]:
    places = _places(min(along), max(along))
    held = {one.model: one for one in found.held_out}
    return {
        "name": name,
        "at": places,
        "models": [_model(one, held.get(one.fit.model.name), places) for one in found.estimates],
        "words": _words(name, found),
    }


def _places(first: int, last: int) -> list[int]:
    """Whole numbers from the smallest n to the largest, closer together where they are small."""
    return sorted({round(float(place)) for place in np.geomspace(first, last, _POINTS)})


def _model(one: Estimate, held: HeldOut | None, places: list[int]) -> dict[str, Any]:
    return {
        "model": one.fit.model.name,
        "formula": FORMULAS[one.fit.model.name],
        "scale": all_finite([one.fit.scale, one.scale.low, one.scale.high], 4),
        "rate": all_finite([one.fit.rate, one.rate.low, one.rate.high], 4),
        "weight": finite(one.weight, 3),
        "values": all_finite((one.fit.mean(n) for n in places), 4),
        "held": None
        if held is None
        else [held.n, *all_finite([held.predicted, held.interval.low, held.interval.high, held.observed], 4)],
    }


def _words(name: str, found: Growth) -> str:
    """The best fit in a sentence, and what it predicts for the largest size from the smaller ones."""
    best = found.best
    rate = "b" if best.fit.model.name == "exponential" else "a"
    span = f"{number(best.rate.low)} to {number(best.rate.high)}"
    words = (
        f"{name}: of the three models {FORMULAS[best.fit.model.name]} fits best, with "
        f"c = {number(best.fit.scale)} and {rate} = {number(best.fit.rate)} (95 %: {span}); "
        f"its Akaike weight is {best.weight:.2f}."
    )
    held = next((one for one in found.held_out if one.model == best.fit.model.name), None)
    if held is None:
        return words
    return (
        f"{words} Fitted without n = {held.n} it predicts {number(held.predicted)} iterations there (95 %: "
        f"{number(held.interval.low)} to {number(held.interval.high)}); measured: {number(held.observed)}."
    )
