"""Draws the pictures that no command on their page draws: `python docs/pictures.py`, half a minute.

Pictures of studies are made by `gatewalk study run`, that of the paper by `gatewalk paper`, `scaling.svg` by
`benchmarks/scaling.py`; `watch.svg`, `learn.svg`, `levels.svg` and `voter.svg` by the commands beside them.
"""

from __future__ import annotations

from pathlib import Path

import gatewalk as gw
from gatewalk.analysis.style import COLOURS, log_axis, log_ticks, panels, save, styled
from gatewalk.campaign import campaign, run
from gatewalk.circuit.drawing.picture import write_picture
from gatewalk.search.runs import program_genotype, program_schematic
from gatewalk.stats import Sample, ert, kaplan_meier, sample
from gatewalk.theory import exact

DOCS = Path(__file__).parent
BUDGETS = (30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
SELECTIONS = ["nonstrict", "strict"]


def first_figure() -> None:
    """Measured times, exact expectations and bounds, as in the README and the first tutorial."""
    sizes = [*range(2, 9), 10, 12]
    results = run(campaign(target="and", n=sizes, nodes="n-1", selection=SELECTIONS, replications=50, seed=1))
    save(results.plot("time"), DOCS / "tutorials" / "and-time.svg")


def campaign_figure() -> None:
    """Four searches for And by n, as in the how-to on campaigns."""
    sizes = [*range(2, 11), 12]
    grid = campaign(
        target="and",
        n=sizes,
        nodes=["n", "2n"],
        selection=SELECTIONS,
        replications=100,
        budget=200_000,
        seed=7,
    )
    save(run(grid).plot("time"), DOCS / "how-to" / "campaign-time.svg")


def program() -> None:
    """A program as a genotype and as a circuit with its inactive nodes."""
    found = gw.evolve("and:4", nodes=8, seed=1)
    write_picture(program_genotype(found), DOCS / "explanation" / "genotype.svg")
    write_picture(program_schematic(found), DOCS / "explanation" / "program.svg")


def exact_distribution() -> None:
    """Exact distributions and measured ones."""
    grid = campaign(target="and", n=[2, 3, 4], nodes="n-1", selection=SELECTIONS, replications=500, seed=1)
    save(run(grid).plot("distribution"), DOCS / "explanation" / "exact-distribution.svg")


def _measured(budget: int) -> Sample:
    runs = gw.run_many("and:4", nodes=3, selection="strict", budget=budget, seed=1, runs=400)
    return sample(runs.iterations, runs.solved)


@styled()
def statistics() -> None:
    """Kaplan-Meier curves with two budgets; the ERT and the mean of the successful runs by budget."""
    found = {budget: _measured(budget) for budget in BUDGETS}
    figure, ((left, right),) = panels(1, 2, height=2.7)
    for (budget, name), colour in zip(
        ((100_000, "budget 10⁵"), (1_000, "budget 10³")), COLOURS, strict=False
    ):
        curve = kaplan_meier(found[budget])
        left.step(curve.times, 1 - curve.values, where="post", color=colour, label=name)
        band = {"step": "post", "color": colour, "alpha": 0.15, "linewidth": 0}
        left.fill_between(curve.times, 1 - curve.high, 1 - curve.low, **band)
    left.axvline(1_000, color=COLOURS[1], linestyle=":", linewidth=0.8)
    left.set(xscale="log", xlabel="iterations", ylabel="fraction of runs solved", ylim=(0, 1.02))
    left.set_title("(a) Kaplan–Meier")
    left.legend(loc="upper left")
    truth = exact("and:4", nodes=3, selection="strict").expected_iterations
    means = [data.times.mean() for data in found.values()]
    right.axhline(truth, color="black", linewidth=1.0, label="exact expectation")
    right.plot(BUDGETS, [ert(data) for data in found.values()], "o-", color=COLOURS[0], label="ERT")
    right.plot(BUDGETS, means, "s-", color=COLOURS[1], label="mean of the successful runs")
    right.set(xscale="log", xlabel="budget of a run", title="(b) estimates of the expected time")
    right.legend(loc="lower right")
    log_axis(right, "iterations")
    log_ticks(left.xaxis)
    log_ticks(right.xaxis)
    save(figure, DOCS / "explanation" / "statistics.svg")


if __name__ == "__main__":
    first_figure()
    campaign_figure()
    program()
    exact_distribution()
    statistics()
