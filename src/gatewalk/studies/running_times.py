"""The tables that every study has: running times of its cells, and how they grow with n."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.curves import Curves
from gatewalk.errors import InputError
from gatewalk.numbers import number, running_time
from gatewalk.report.tables import Table
from gatewalk.stats.growth import Growth, growth
from gatewalk.stats.resampling import ert_interval
from gatewalk.stats.sample import ert, success_rate
from gatewalk.stats.survival import median

RESAMPLES = 1000  # for the interval of a cell
FITTED = 200  # resamples for the interval of a growth curve


def running_time_table(cells: Sequence[CellRuns], unit: str) -> Table:
    """A row per cell: successes, expected running time, median, all with 95 % intervals."""
    rows = []
    for cell in cells:
        rate, middle = success_rate(cell.runs), median(cell.runs)
        expected, span = ert(cell.runs), ert_interval(cell.runs, resamples=RESAMPLES)
        rows.append(
            (
                cell.label,
                str(cell.values["n"]),
                "–" if cell.values["nodes"] is None else str(cell.values["nodes"]),
                str(rate.runs),
                str(rate.successes),
                number(rate.rate),
                number(rate.interval.low),
                number(rate.interval.high),
                running_time(expected),
                number(span.low),
                number(span.high),
                number(middle.value),
                number(middle.interval.low),
                number(middle.interval.high),
            )
        )
    return Table(
        title="Running times",
        columns=(
            *("cell", "n", "nodes", "runs", "solved"),
            *("rate", "rate from", "rate to"),
            *("ERT", "ERT from", "ERT to"),
            *("median", "median from", "median to"),
        ),
        rows=tuple(rows),
        note=f"In {unit}. ERT: the {unit} of all runs, failed ones too, per success, with 95 % bootstrap "
        "intervals. Medians are Kaplan-Meier's with the interval of Brookmeyer and Crowley; ∞: too few runs "
        "succeeded to know. Rates have Wilson's intervals.",
    )


def fits(found: Curves, *, resamples: int = FITTED) -> dict[str, Growth]:
    """Growth fits of all curves with enough sizes and successes."""
    fitted = {}
    for name, along in found.items():
        try:
            fitted[name] = growth(along, resamples=resamples)
        except InputError:  # fewer than three sizes, or successes at only one
            continue
    return fitted


def growth_table(fitted: Mapping[str, Growth], x: str = "n") -> Table:
    """A row per curve and model, the best of each curve first."""
    rows = []
    for name, found in fitted.items():
        held = {one.model: one for one in found.held_out}
        for item in found.estimates:
            last = held.get(item.fit.model.name)
            rows.append(
                (
                    name,
                    item.fit.model.formula.replace("n", x) if x != "n" else item.fit.model.formula,
                    number(item.fit.scale),
                    number(item.fit.rate),
                    number(item.rate.low),
                    number(item.rate.high),
                    number(item.weight, digits=2),
                    *(
                        ("–", "–", "–")
                        if last is None
                        else (str(last.n), number(last.predicted), number(last.observed))
                    ),
                )
            )
    return Table(
        title="Growth",
        columns=(
            *("curve", "model", "c", "a or b", "from", "to", "Akaike weight"),
            *("held out", "predicted", "seen"),
        ),
        rows=tuple(rows),
        texts=2,
        note="Curves of the mean, fitted to all runs by maximum likelihood with gamma distributed times; "
        "failed runs count as censored. 95 % bootstrap intervals of the exponent a or the base b. Held out: "
        "the largest size, its mean predicted from the smaller ones, and what was seen.",
    )
