"""The text of `gatewalk observe`: tables with intervals, and a legend that explains their columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gatewalk.cli.console import console as unwrapped
from gatewalk.cli.numbers import chance, show_notes

if TYPE_CHECKING:
    from gatewalk.theory.drift import Drift
    from gatewalk.theory.level_report import Frequency, Level
    from gatewalk.theory.observation import FlatWalk, Observation

LEVELS_LEGEND = {
    "level i": "the output depends on i inputs",
    "i+": "some active connection can be redirected to an unused input so that the level rises",
    "i-": "none can",
    "p, q": "chances per iteration to go from i- to a higher level, from i- to i+",
    "r, s": "from i+ to a higher level, from i+ back to i-",
    "leave": "to a higher level from either",
    "waiting": "mean iterations from the first visit of a level to a higher one",
    "surplus": "active gates that contribute nothing, on average",
    "neutral": "equally fit offspring accepted, per iteration",
    "[a, b]": "a 95 % interval over whole runs; none where fewer than two runs tell",
}
ESTIMATES_LEGEND = {
    "s_i": "Theorem 3's estimate: leave >= s_i",
    "q', r', s'": "Theorem 6's estimates: p + q >= q', r >= r', s <= s'",
    "x/y": "measured over estimated",
}
EXCEEDED_LEGEND = {"!": "the interval contradicts the estimate"}
DRIFT_LEGEND = {
    "Y": "Lemma 8's potential 2n - 2 - min(U, n-2) - V, which is 0 at an optimum",
    "U": "nodes that another node reads, on average at these steps",
    "V": "inputs read by an odd number of connections, on average at these steps",
    "steps": "changes of a connection of a node",
    "drift": "the mean change of Y in one step",
    "[a, b]": "a 95 % interval over whole runs; none where fewer than two runs tell",
    "-2 ... +2": "the share of steps that change Y by so much",
}


def show(seen: Observation) -> None:
    """Print everything that was observed, and the statements to compare it with."""
    from gatewalk.analysis.statistics import ert, sample, success_rate

    console = unwrapped()
    settings = seen.settings
    times = sample([item.iterations for item in seen.ends], [item.solved for item in seen.ends])
    rate = success_rate(times)
    console.print(
        f"[bold]{settings.label}[/bold], D = {settings.nodes}, {settings.selection}, {settings.profile}, "
        f"{settings.training}: "
        f"{rate.successes} of {rate.runs} runs solved, ERT {_number(ert(times))} iterations",
        highlight=False,
    )
    if seen.theorem4_expected is not None:
        console.print(f"Theorem 4's start: exactly {_number(seen.theorem4_expected)} expected")
    if seen.levels:
        _show_levels(console, seen.levels)
    if seen.flat_walk is not None:
        _show_walk(console, seen.flat_walk)
        console.print(_drift_table(seen.drifts))
        _legend(console, DRIFT_LEGEND)
    show_notes(console, seen.stated)


def _show_levels(console: Console, levels: Sequence[Level]) -> None:
    for table in (_level_table(levels), _minus_table(levels), _plus_table(levels)):
        console.print(table)
        console.print()
    has_estimates = levels[0].estimates is not None
    is_exceeded = any(item.exceeded for item in levels)
    _legend(
        console,
        LEVELS_LEGEND
        | (ESTIMATES_LEGEND if has_estimates else {})
        | (EXCEEDED_LEGEND if is_exceeded else {}),
    )


def _legend(console: Console, meanings: dict[str, str]) -> None:
    table = Table(box=None, pad_edge=False, show_header=False, style="dim")
    table.add_column(no_wrap=True)
    table.add_column()
    for term, meaning in meanings.items():
        table.add_row(Text(term), Text(meaning))
    console.print(table)


def _show_walk(console: Console, walk: FlatWalk) -> None:
    exactly = ""
    if walk.lemma7_probability is not None and walk.lemma7_rest is not None:
        exactly = f", exactly {chance(walk.lemma7_probability, walk.lemma7_rest)}"
    console.print(
        f"Lemma 7: V <= 3n/4 at {walk.lemma7_measured:.4f} of the starts{exactly}; "
        f"least potential seen {walk.least_potential}",
        highlight=False,
    )
    if walk.lemma8_drift is not None and walk.lemma8_interval is not None:
        low, high = walk.lemma8_interval
        console.print(
            f"Lemma 8: drift at least {walk.lemma8_drift:.3f} for Y in [{low:.1f}, {high:.1f}]",
            highlight=False,
            markup=False,
        )


def _number(value: float) -> str:
    if not isfinite(value):
        return "-" if value != value else "infinite"
    if abs(value) >= 1e7:
        return f"{value:.2e}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for name in columns:
        table.add_column(name, justify="right")
    return table


def _rate(rate: Frequency) -> str:
    """A rate with its interval.

    >>> from gatewalk.theory.level_report import Frequency
    >>> _rate(Frequency(3, 40, 0.075, 0.021, 0.21)), _rate(Frequency(3, 40, 0.075, 0.0, 1.0))
    ('0.075 [.021, .21]', '0.075')
    """
    if not rate.trials:
        return "-"
    low, high = (f"{end:.2g}".removeprefix("0") or "0" for end in (rate.low, rate.high))
    return f"{rate.value:.2g}" + (f" [{low}, {high}]" if rate.is_told else "")


def _factor(item: Level, name: str) -> str:
    return f"{_number(item.factors[name])}{'!' if name in item.exceeded else ''}"


def _level_table(levels: Sequence[Level]) -> Table:
    drops = ["drops"] if any(item.dropped for item in levels) else []
    factors = [name for name in ("leave",) if name in levels[0].factors]
    heads = ["leave/s_i" for _ in factors]
    table = _table("level", "runs", "waiting", "leave", *heads, "surplus", "neutral", *drops)
    for item in levels:
        table.add_row(
            str(item.level),
            str(item.runs),
            _number(item.waiting),
            Text(_rate(item.leave)),
            *(_factor(item, name) for name in factors),
            _number(item.surplus),
            _number(item.neutral),
            *(str(item.dropped) for _ in drops),
        )
    return table


def _minus_table(levels: Sequence[Level]) -> Table:
    factors = [name for name in ("free",) if name in levels[0].factors]
    table = _table("level", "at i-", "p", "q", "p + q", *("(p+q)/q'" for _ in factors))
    for item in levels:
        rates = [Text(_rate(one)) for one in (item.p, item.q, item.free)]
        table.add_row(str(item.level), f"{item.minus:,}", *rates, *(_factor(item, name) for name in factors))
    return table


def _plus_table(levels: Sequence[Level]) -> Table:
    heads = {"raise_": "r/r'", "lose": "s/s'"}
    factors = [name for name in heads if name in levels[0].factors]
    table = _table("level", "at i+", "r", "s", *(heads[name] for name in factors))
    for item in levels:
        rates = [Text(_rate(one)) for one in (item.r, item.s)]
        table.add_row(str(item.level), f"{item.plus:,}", *rates, *(_factor(item, name) for name in factors))
    return table


def _drift_table(drifts: Sequence[Drift]) -> Table:
    table = _table("Y", "U", "V", "steps", "drift", "95 %", "-2", "-1", "0", "+1", "+2")
    for item in drifts:
        table.add_row(
            str(item.potential),
            _number(item.used),
            _number(item.odd),
            f"{item.steps:,}",
            f"{item.mean:+.3f}",
            Text(f"[{item.low:+.2f}, {item.high:+.2f}]" if item.is_told else ""),
            *(f"{item.sizes.get(size, 0.0):.2f}" for size in (-2, -1, 0, 1, 2)),
        )
    return table
