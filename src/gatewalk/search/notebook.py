"""Runs as a notebook shows them: a small table, the circuit, and the course of fitness.

The pictures are inline SVG and need no library. Text and axes have the colour of the page's text and curves a
colour between light and dark, so that both can be read on either; the circuit has a light ground of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import inf, log2, log10
from typing import TYPE_CHECKING

from gatewalk.numbers import counted, duration, fitness_text, number, running_time, share
from gatewalk.search.runs import Improvements, best_of, what_is_searched

if TYPE_CHECKING:
    from gatewalk.circuit.circuit import Circuit
    from gatewalk.search.options import Search
    from gatewalk.search.runs import Run, Runs

_CURVES = 60  # the most runs whose courses are drawn
_STEPS = 400  # the most steps of a course that are drawn
_WIDTH, _HEIGHT = 360.0, 200.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 28.0, 12.0, 40.0  # margins of the chart
_CURVE = "#3987c8"
_APART = 13.0  # pixels between two labels of an axis, at least


def run_html(run: Run) -> str:
    """A run: what was searched for and how it ended, the circuit, and the course of its fitness."""
    outcome = "yes" if run.solved else f"no, {counted_mismatches(run.fitness)} left"
    rows = [
        *_settings(run.search, run.seed),
        ("run", str(run.run)),
        ("solved", outcome),
        ("iterations", number(run.iterations)),
        ("gates", number(run.gates)),
        *([] if run.generalisation is None else [("generalisation", share(run.generalisation))]),
        ("time", f"{duration(run.seconds)}, evaluation {run.evaluation}"),
    ]
    course = _chart([(run.improvements, run.iterations)], run.search)
    return _page(rows, ("course of the fitness", course), ("circuit", _drawn(run.circuit)))


def runs_html(runs: Runs) -> str:
    """Many runs: success rate, ERT with its interval, quartiles, the smallest circuit, and some courses."""
    from gatewalk.stats.sample import sample, success_rate
    from gatewalk.stats.survival import quantile
    from gatewalk.stats.times import expected_time

    if not len(runs):
        return _page([*_settings(runs.search, runs.seed), ("runs", "none")])
    data, best = sample(runs.iterations, runs.solved), best_of(runs)
    rate = success_rate(data)
    low, median, high = (quantile(data, part).value for part in (0.25, 0.5, 0.75))
    rows = [
        *_settings(runs.search, runs.seed),
        ("runs", number(len(runs))),
        (
            "solved",
            f"{number(rate.successes)} (95 %: {share(rate.interval.low)} to {share(rate.interval.high)})",
        ),
        ("ERT", str(expected_time(data))),
        ("median", _reached(median)),
        ("quartiles", f"{_reached(low)} and {_reached(high)}"),
    ]
    if best.solved:
        rows.append(("smallest circuit", f"{counted(best.gates, 'gate')}, of run {best.run}"))
    shown = runs[:_CURVES]
    courses = list(zip(shown.improvements, shown.iterations.tolist(), strict=True))
    what = "courses of the fitness" + (f", first {_CURVES} runs" if len(runs) > _CURVES else "")
    drawn = [("smallest circuit", _drawn(best.circuit))] if best.solved else []
    return _page(rows, (what, _chart(courses, runs.search)), *drawn)


def counted_mismatches(fitness: int) -> str:
    """A fitness with its noun."""
    return f"{fitness_text(fitness)} {'mismatch' if fitness == 1 else 'mismatches'}"


def _settings(search: Search, seed: int) -> list[tuple[str, str]]:
    return [
        ("search", what_is_searched(search, start=True)),
        ("budget", number(search.budget)),
        ("seed", str(seed)),
    ]


def _reached(time: float) -> str:
    return "not reached" if time == inf else running_time(time)


def _page(rows: Sequence[tuple[str, str]], *pictures: tuple[str, str]) -> str:
    """A table, and pictures with their titles beside it, or below it where the page is narrow."""
    cells = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left;max-width:26em">{escape(text)}</td></tr>'
        for name, text in rows
    )
    parts = [f"<div><table>{cells}</table></div>"]
    for title, picture in pictures:
        parts.append(
            '<figure style="margin:0;max-width:100%">'
            f'<figcaption style="font-size:smaller;margin-bottom:.4em">{escape(title)}</figcaption>'
            f'<div style="max-width:42em;max-height:30em;overflow:auto">{picture}</div></figure>'
        )
    flex = "display:flex;flex-wrap:wrap;gap:1em 2em;align-items:flex-start"
    return f'<div style="{flex}">{"".join(parts)}</div>'


def _drawn(circuit: Circuit) -> str:
    """The circuit as SVG; in words if it is too large to be drawn."""
    return circuit._repr_svg_() or escape(repr(circuit))


def _chart(courses: Sequence[tuple[Improvements, int]], search: Search) -> str:
    """Mismatches against iterations, both on logarithmic scales on which 0 has a place."""
    courses = [(improvements, last) for improvements, last in courses if improvements]
    if not courses:
        return "not kept"
    longest = max(1, *(last for _, last in courses))
    worst = max(1, *(fitness for improvements, _ in courses for _, fitness in improvements))

    def x(iterations: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * log10(1 + iterations) / log10(1 + longest)

    def y(fitness: int) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * log2(1 + fitness) / log2(1 + worst)

    lines = []
    for improvements, last in courses:
        points = [
            (x(max(0, made - search.law.uncounted)), y(fitness)) for made, fitness in _few(improvements)
        ]
        steps = f"M{points[0][0]:.1f} {points[0][1]:.1f}" + "".join(
            f"H{a:.1f}V{b:.1f}" for a, b in points[1:]
        )
        lines.append(f'<path d="{steps}H{x(last):.1f}"/>')
    opacity = 1.0 if len(courses) == 1 else max(0.2, 1.0 / len(courses) ** 0.4)
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    marks = [
        f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" stroke="currentColor" stroke-opacity=".5" fill="none"/>'
    ]
    for at in _ticks(longest):
        marks.append(f'<path d="M{x(at):.1f} {bottom}v4" stroke="currentColor" stroke-opacity=".5"/>')
        marks.append(_text(x(at), bottom + 16, number(at, short=True), "middle"))
    levels = [worst]
    for fitness in reversed(_ticks(worst) if worst < 10**12 else (0,)):
        if y(fitness) - y(levels[-1]) >= _APART:
            levels.append(fitness)
    for fitness in levels:
        marks.append(f'<path d="M{_LEFT} {y(fitness):.1f}h-4" stroke="currentColor" stroke-opacity=".5"/>')
        marks.append(_text(_LEFT - 7, y(fitness) + 4, fitness_text(fitness).removeprefix("about "), "end"))
    middle = (_TOP + bottom) / 2
    marks.append(_text((_LEFT + right) / 2, _HEIGHT - 6, "iterations", "middle"))
    marks.append(
        f'<text transform="rotate(-90 14 {middle})" x="14" y="{middle}" text-anchor="middle" '
        'fill="currentColor">mismatches</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{_WIDTH:g}" height="{_HEIGHT:g}" '
        f'viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" font-size="11" font-family="sans-serif">'
        f"<title>Mismatches by iterations</title>{''.join(marks)}"
        f'<g fill="none" stroke="{_CURVE}" stroke-width="1.5" stroke-opacity="{opacity:.2f}">'
        f"{''.join(lines)}</g></svg>"
    )


def _few(improvements: Improvements) -> Improvements:
    """At most `_STEPS` of the improvements, evenly chosen, with the first and the last."""
    if len(improvements) <= _STEPS:
        return improvements
    last = len(improvements) - 1
    return tuple(improvements[round(step * last / (_STEPS - 1))] for step in range(_STEPS))


def _ticks(largest: int) -> Sequence[int]:
    """0 and powers of ten up to the largest number, few enough to be read."""
    powers = [10**power for power in range(len(str(largest)))]
    apart = -(-len(powers) // 6)
    return [0, *powers[::apart]]


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor">{escape(text)}</text>'
