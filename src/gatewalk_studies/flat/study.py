"""Flat landscapes: how the time to find Xor_n grows, and the drift near the optimum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any

from gatewalk.analysis import CellRuns, Curves, curves, drift_figure, growth_figure
from gatewalk.campaign import Cell
from gatewalk.numbers import number, probability
from gatewalk.stats import Growth, mean_time
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged
from gatewalk.theory import Drift, applied, observe_runs

from .negative_drift import conditions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 60  # the most potentials in the figure


def observe(cell: Cell, *, jobs: int) -> dict[str, Any] | None:
    """Measure the drift of Lemma 8's potential in the walks that start next to the optimum."""
    if cell.words["start"] == "random":
        return None
    seen = observe_runs(cell.search, seed=cell.seed, runs=cell.replications, jobs=jobs)
    summary, *records = seen.records()
    told = (drift.is_told for drift in seen.drifts)
    drifts = (record for record in records if record["kind"] == "drift")
    return {
        "interval": summary["lemma8_interval"],
        "drifts": [record | {"is_told": is_told} for record, is_told in zip(drifts, told, strict=True)],
    }


def _drift(record: Mapping[str, Any]) -> Drift:
    """The drift that a record of `observe` is about."""
    changing = record["drift_of_changes"]
    return Drift(
        potential=record["potential"],
        steps=record["steps"],
        used=record["U"],
        odd=record["V"],
        mean=record["drift"],
        low=record["low"],
        high=record["high"],
        changing=nan if changing is None else changing,
        sizes={int(size): share for size, share in record["sizes"].items()},
        is_told=record["is_told"],
    )


def findings(measured: Measured) -> Findings:
    """Growth and drift, each with its figure, and claims on Theorem 9 and Lemma 8."""
    random = [cell for cell in measured.cells if cell.values["start"] == "random"]
    (near,) = (cell for cell in measured.cells if cell.values["start"] != "random")
    times = curves(random)
    grown = {name: fitted for name, fitted in measured.growth.items() if name in times}
    drifts = [_drift(record) for record in near.observed["drifts"]]
    return Findings(
        claims=(
            _exponential(grown),
            _nodes(times),
            _lemma8(near, drifts),
            _steps(drifts),
        ),
        figures=(
            Drawing(
                name="growth",
                caption="Mean iterations to Xor_n, non-strict, with 95 % intervals and fitted exponentials.",
                draw=partial(draw_growth, times, grown),
            ),
            Drawing(
                name="drift",
                caption=f"Xor_{near.values['n']}, D = n, walks from next to the optimum. Left: mean change "
                "of the potential per step with 95 % intervals, and Lemma 8's estimate. Right: the shares of "
                "the changes.",
                draw=partial(draw_drift, near, drifts),
            ),
        ),
    )


def _exponential(grown: Mapping[str, Growth]) -> Claim:
    said, holds = [], []
    for name, fitted in grown.items():
        models = {item.fit.model.name: item for item in fitted.estimates}
        base = models["exponential"]
        others = sum(item.weight for key, item in models.items() if key != "exponential")
        holds.append(others < 0.01)
        said.append(
            f"{name}: {base.fit.rate:.1f}ⁿ [{base.rate.low:.1f}, {base.rate.high:.1f}], Akaike weight of the "
            f"polynomial models {probability(others)}"
        )
    return Claim(
        statement="The time to Xor_n is exponential in n",
        source="the paper, Theorem 9, for n − 1 ≤ D ≤ (1 + d)n; D = 2n is outside it",
        measured="; ".join(said) + ".",
        verdict=judged(holds),
        reason="The polynomial models must have a weight below 0.01 together.",
    )


def _nodes(times: Curves) -> Claim:
    n = max(times["nodes=n"])
    few, many = mean_time(times["nodes=n"][n]), mean_time(times["nodes=2n"][n])
    return Claim(
        statement="More nodes help, within the exponential",
        source="this study",
        measured=f"n = {n}: {number(few)} iterations at D = n, {number(many)} at D = 2n.",
        verdict=judged([few > 2 * many]),
        reason="The mean at D = 2n must be less than half of that at D = n.",
    )


def _lemma8(near: CellRuns, drifts: Sequence[Drift]) -> Claim:
    """The claim on Lemma 8: a positive drift leads away from the optimum."""
    n = near.values["n"]
    low, high = near.observed["interval"] or (0, 0)  # null where the lemma does not apply
    estimate = applied("lemma8_drift", near.search).value
    inside = [item for item in drifts if low < item.potential < high and item.is_told]
    if not inside or estimate is None:
        return Claim(
            statement="Near the optimum the potential drifts away from it",
            source="the paper, Lemma 8",
            measured="No walk reached the interval of the lemma.",
            verdict="not judged",
        )
    means = [item.mean for item in inside]
    checked = conditions(
        a=low,
        b=high,
        drift={item.potential: item.mean for item in drifts},
        steps={item.potential: item.sizes for item in drifts},
        delta=1.0,
    )
    return Claim(
        statement=f"Near the optimum the potential drifts away from it, by at least {estimate:.2f} per step",
        source=f"the paper, Lemma 8 at n = {n}, on potentials from {low:g} to {high:g}",
        measured=f"{min(means):.2f} to {max(means):.2f} per step.",
        verdict=judged([item.low >= estimate for item in inside]),
        reason="Every 95 % interval must lie above the estimate. Of Theorem 11's conditions the drift "
        f"{'holds' if checked.drift_holds else 'fails'}; the interval, of length {checked.length:g}, is "
        f"{'long enough' if checked.steps_hold else 'too short'} for it.",
    )


def _steps(drifts: Sequence[Drift]) -> Claim:
    largest = max(abs(size) for item in drifts for size, share in item.sizes.items() if share > 0)
    return Claim(
        statement="A step changes the potential by at most two",
        source="this study; the proof of Lemma 8 allows three",
        measured=f"The largest change seen is {largest}.",
        verdict=judged([largest <= 2]),
        reason="Each end of a moved connection is an input or a node, and changes one part of the potential "
        "by one.",
    )


def draw_growth(times: Curves, grown: Mapping[str, Growth]) -> Figure:
    """Mean times with fitted exponentials."""
    shown = {name: (along, grown.get(name)) for name, along in times.items()}
    return growth_figure(shown, title="Xor$_n$, non-strict", model="exponential")


def draw_drift(near: CellRuns, drifts: Sequence[Drift]) -> Figure:
    """The drift by potential."""
    n = near.values["n"]
    return drift_figure(
        [item for item in drifts if item.potential <= SHOWN],
        estimate=applied("lemma8_drift", near.search).value,
        interval=near.observed["interval"],
        title=f"xor:{n}, $D = n$",
    )
