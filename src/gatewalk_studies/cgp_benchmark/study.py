"""Evaluations to success by target, nodes and mutation: tables, a heat map of nodes and rates, and claims."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import exp, isfinite, log
from statistics import median_high
from typing import TYPE_CHECKING, Any

from gatewalk.analysis import CellRuns, style
from gatewalk.numbers import number, probability
from gatewalk.report import Table
from gatewalk.stats import Sample, chi_square, compare, mann_whitney, median
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FAR = 2.0  # SAM is far from the best rate if its median is more than so many times that of the rate
LEVEL = 0.01
SAM = "sam"
Key = tuple[str, int, str]  # target, nodes, mutation as it is written
Cells = dict[Key, Sample]


def findings(measured: Measured) -> Findings:
    """The table of medians, the heat map, and claims on SAM, on nodes, on rates and on point mutation."""
    cells = by_key(measured.cells)
    return Findings(
        claims=(
            sam_claim(cells),
            nodes_claim(cells),
            rates_claim(cells),
            point_claim(cells),
        ),
        figures=(
            Drawing(
                name="heat",
                caption="Median evaluations to success by nodes and mutation rate, and of SAM; k: thousand. "
                "Hatched: fewer than half of the runs succeeded within the budget; how many did. Framed: the "
                "best rate for that number of nodes.",
                draw=partial(draw_heat, {name: of_target(cells, name) for name in heat_targets(cells)}),
            ),
        ),
        tables=(("medians", medians_table(cells)),),
    )


def by_key(cells: Iterable[CellRuns]) -> Cells:
    """Runs by target, nodes and mutation."""
    return {
        (cell.search.target.label, int(cell.values["nodes"]), _written(cell)): cell.runs for cell in cells
    }


def _written(cell: CellRuns) -> str:
    """The mutation as the campaign writes it. The search itself has numbers of genes instead of point:1%."""
    return str(cell.words["mutation"])


def of_target(cells: Cells, target: str) -> Cells:
    """The cells of one target."""
    return {key: runs for key, runs in cells.items() if key[0] == target}


def rate_of(mutation: str) -> float | None:
    """The percentage of a rate mutation; None for other mutations.

    >>> rate_of("rate:0.5%"), rate_of("sam")
    (0.5, None)
    """
    name, _, strength = mutation.partition(":")
    return float(strength.rstrip("%")) if name == "rate" else None


def heat_targets(cells: Cells) -> list[str]:
    """The targets for which the most rates were tried, which the heat map shows."""
    rates: dict[str, set[str]] = {}
    for target, _, mutation in cells:
        if rate_of(mutation) is not None:
            rates.setdefault(target, set()).add(mutation)
    most = max(map(len, rates.values()))
    return [target for target, of_target in rates.items() if len(of_target) == most]


def best_rate(cells: Cells, target: str, nodes: int) -> tuple[float, float]:
    """The rate with the least median, in per cent, and that median; infinite if no rate has one."""
    medians = (
        (median(runs).value, rate)
        for (name, size, mutation), runs in cells.items()
        if (name, size) == (target, nodes) and (rate := rate_of(mutation)) is not None
    )
    value, rate = min(medians)
    return rate, value


def places(cells: Cells) -> list[tuple[str, int]]:
    """Every target with every number of nodes, in the order of the campaign."""
    return list(dict.fromkeys((target, nodes) for target, nodes, _ in cells))


def sam_claim(cells: Cells) -> Claim:
    """The claim on the median of SAM divided by that of the best rate."""
    ratios: dict[tuple[str, int], float] = {}
    unknown = 0
    for target, nodes in places(cells):
        ours, best = median(cells[target, nodes, SAM]).value, best_rate(cells, target, nodes)[1]
        if isfinite(ours) or isfinite(best):
            ratios[target, nodes] = ours / best if isfinite(best) else 0.0
        else:
            unknown += 1
    worst = max(ratios, key=lambda place: ratios[place]) if ratios else None
    near = sum(ratio <= FAR for ratio in ratios.values())
    known = [ratio for ratio in ratios.values() if isfinite(ratio) and ratio]
    words = f"SAM is within a factor of {FAR:g} of the best rate in {near} of {len(ratios)} cases"
    if worst is not None:
        words += f"; at worst {number(ratios[worst])} times its median ({worst[0]}, D = {worst[1]})"
    if known:
        words += f"; {number(exp(sum(map(log, known)) / len(known)))} times in the geometric mean"
    return Claim(
        statement="SAM, which has no parameter, is never far from the best mutation rate",
        source="this study, on the mutation of Goldman and Punch 2013",
        measured=f"{words}. {unknown} cases have neither median.",
        verdict=judged([ratio <= FAR for ratio in ratios.values()]),
        reason=f"The median of SAM must be at most {FAR:g} times the least median among the rates tried, for "
        "every target and D. The best of several medians is chosen after the fact, which favours the rates.",
    )


def nodes_claim(cells: Cells) -> Claim:
    """The claim on the most nodes compared with the fewest, with SAM."""
    faster: list[str] = []
    slower: list[str] = []
    alike: list[str] = []
    for target in dict.fromkeys(key[0] for key in cells):
        sizes = sorted({nodes for name, nodes, _ in cells if name == target})
        few, many = cells[target, sizes[0], SAM], cells[target, sizes[-1], SAM]
        test = mann_whitney(many, few)
        line = (
            f"{target} from {brief(median(few).value)} (D = {sizes[0]}) to {brief(median(many).value)} "
            f"(D = {sizes[-1]})"
        )
        if test.p_value >= LEVEL:
            alike.append(target)
        else:
            (faster if test.a12 > 0.5 else slower).append(line)
    parts = ((faster, "fewer evaluations"), (slower, "more"), (alike, "not told apart"))
    measured = [f"{words} on {len(targets)} ({', '.join(targets)})" for targets, words in parts if targets]
    return Claim(
        statement="the most evolvable representations occur when the genotype is extremely large",
        source="Miller and Smith 2006, abstract; here the most nodes against the fewest, with SAM",
        measured="Medians with the most nodes: " + "; ".join(measured) + ".",
        verdict=judged([True] * len(faster) + [False] * len(slower + alike)),
        reason=f"The most nodes must need fewer evaluations on every target, rank sums, p < {LEVEL}.",
    )


def rates_claim(cells: Cells) -> Claim:
    """The claim on the best rate by the number of nodes, for targets with many rates."""
    holds, lines = [], []
    for target in heat_targets(cells):
        sizes = sorted({nodes for name, nodes, _ in cells if name == target})
        best = {nodes: best_rate(cells, target, nodes)[0] for nodes in sizes}
        holds.append(best[sizes[-1]] < best[sizes[0]])
        lines.append(f"{target}: " + ", ".join(f"{rate:g} % at D = {nodes}" for nodes, rate in best.items()))
    return Claim(
        statement="With more nodes, a smaller mutation rate is best",
        source="this study",
        measured="Best of the rates tried: " + "; ".join(lines) + ".",
        verdict=judged(holds),
        reason="The best rate must be smaller with the most nodes than with the fewest, on each target.",
    )


def point_claim(cells: Cells) -> Claim:
    """The claim on point mutation compared with a rate that changes as many genes on average."""
    pairs = [
        compare(f"{target} D = {nodes}", runs, cells[target, nodes, f"rate:{mutation[6:]}"])
        for (target, nodes, mutation), runs in cells.items()
        if mutation.startswith("point:") and (target, nodes, f"rate:{mutation[6:]}") in cells
    ]
    total = chi_square(pair.score for pair in pairs)
    agreeing = sum(pair.verdict == "agrees" for pair in pairs)
    ratios = [median(pair.ours).value / median(pair.published).value for pair in pairs]
    known = [ratio for ratio in ratios if isfinite(ratio) and ratio > 0]
    middle = f"; the ratio of the medians is {number(median_high(known))} in the middle" if known else ""
    return Claim(
        statement="Point mutation takes as long as a rate that changes as many genes on average",
        source="this study",
        measured=f"1 % of the genes: {agreeing} of {len(pairs)} pairs agree, all together with p = "
        f"{probability(total.p_value)}{middle}.",
        verdict=judged([total.p_value >= LEVEL] if pairs else []),
        reason=f"The rank sums of all pairs, as one chi-square, must not show a difference, p ≥ {LEVEL}; a "
        "pair agrees from p = 0.05. So few runs show a difference of a single pair only if it is large.",
    )


def brief(value: float) -> str:
    """A number of evaluations in few characters.

    >>> brief(812), brief(8123), brief(81234), brief(float("inf"))
    ('812', '8.1k', '81k', '∞')
    """
    if not isfinite(value):
        return "∞"
    return (
        f"{value:.0f}" if value < 1000 else f"{value / 1000:.1f}k" if value < 9950 else f"{value / 1000:.0f}k"
    )


def medians_table(cells: Cells) -> Table:
    """A row per target and D, a column per mutation."""
    mutations = list(dict.fromkeys(mutation for _, _, mutation in cells))
    mutations.sort(key=lambda mutation: rate_of(mutation) or 0.0)
    rows = []
    for target, nodes in sorted(places(cells), key=lambda place: (place[0].partition(":")[0], place)):
        in_columns = (cells.get((target, nodes, mutation)) for mutation in mutations)
        rows.append(
            (target, str(nodes), *("–" if runs is None else _median_words(runs) for runs in in_columns))
        )
    return Table(
        title="Median evaluations to success",
        columns=("target", "D", *mutations),
        rows=tuple(rows),
        note="Kaplan-Meier's medians; in brackets the runs that succeeded, where some did not. ∞: fewer than "
        "half did.",
    )


def _median_words(runs: Sample) -> str:
    failed = runs.successes < runs.runs
    return number(median(runs).value) + (f" ({runs.successes}/{runs.runs})" if failed else "")


@style.styled()
def draw_heat(by_target: dict[str, Cells]) -> Figure:
    """Median evaluations by nodes and rate, a panel per target, SAM to the left of the rates."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LogNorm

    known = [
        value
        for cells in by_target.values()
        for runs in cells.values()
        if isfinite(value := median(runs).value)
    ]
    norm = LogNorm(max(1.0, min(known, default=1.0)), max(known, default=10.0) + 1.0)
    colours = ScalarMappable(norm, "viridis_r")
    figure, axes = style.panels(len(by_target), 1, width=4.6, height=0.3 + 2.2 * len(by_target))
    for place, (target, cells) in zip(axes[:, 0], by_target.items(), strict=True):
        _draw_panel(place, cells, colours)
        place.set_title(target)
        place.set_ylabel("number of nodes $D$")
    axes[-1, 0].set_xlabel("mutation rate in %")
    bar = figure.colorbar(colours, ax=list(axes[:, 0]), label="median evaluations", aspect=30)
    style.log_ticks(bar.ax.yaxis)
    bar.outline.set_linewidth(0.6)
    return figure


def _draw_panel(axes: Axes, cells: Cells, colours: Any) -> None:
    sizes = sorted({nodes for _, nodes, _ in cells})
    rates = sorted({rate for _, _, mutation in cells if (rate := rate_of(mutation)) is not None})
    target = next(iter(cells))[0]
    for (_, nodes, mutation), runs in cells.items():
        rate = rate_of(mutation)
        if rate is None and mutation != SAM:
            continue
        x = -1.3 if rate is None else float(rates.index(rate))  # a gap between SAM and the rates
        y = float(sizes.index(nodes))
        _draw_cell(axes, x, y, runs, colours)
        best = best_rate(cells, target, nodes)
        if best[0] == rate and isfinite(best[1]):
            _square(axes, x, y, 0.46, fill=False, edgecolor=style.VERMILION, linewidth=1.4, zorder=3)
    axes.set_xlim(-1.8, len(rates) - 0.5)
    axes.set_ylim(-0.5, len(sizes) - 0.5)
    axes.set_xticks([-1.3, *range(len(rates))], ["SAM", *(f"{rate:g}" for rate in rates)])
    axes.set_yticks(range(len(sizes)), [str(size) for size in sizes])
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)


def _draw_cell(axes: Axes, x: float, y: float, runs: Sample, colours: Any) -> None:
    value = median(runs).value
    if isfinite(value):
        red, green, blue, _ = colours.to_rgba(value)
        _square(axes, x, y, facecolor=(red, green, blue), edgecolor="white", linewidth=0.6)
        is_dark = 0.3 * red + 0.59 * green + 0.11 * blue < 0.5
        words, colour = brief(value), "white" if is_dark else "black"
    else:
        _square(axes, x, y, facecolor="#f2f2f2", edgecolor="#c4c4c4", linewidth=0.6, hatch="////")
        words, colour = f"{runs.successes}/{runs.runs}", "black"
    axes.text(x, y, words, ha="center", va="center", fontsize=6.8, color=colour, zorder=4)


def _square(axes: Axes, x: float, y: float, half: float = 0.5, **options: Any) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((x - half, y - half), 2 * half, 2 * half, **options))
