"""Runs compared with the exact distribution of their Markov chain: the law of each cell, and a test of fit.

A chain is solved if it takes no longer and no more memory than allowed. A cell without a law says why.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.distribution_figures import law_times
from gatewalk.boolean.training import Complete
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.errors import InputError
from gatewalk.numbers import counted, duration, fixed, number, probability
from gatewalk.search.options import Search, law_text
from gatewalk.search.scheduler import OnProgress
from gatewalk.stats.comparison import holm
from gatewalk.stats.goodness import goodness_of_fit

if TYPE_CHECKING:
    from gatewalk.theory.chain.distribution import Distribution

LEVEL = 0.05  # runs with a corrected p-value below this differ from their chain
SECONDS, MEMORY = 60.0, 4_000_000_000  # that one chain may take
_MOST_NODES = 40  # with more no chain is small enough, and to compute its size may itself take long
_MOST_STEPS = 2_000_000  # iterations after which a distribution is given up
_BEYOND, _LEAST = 2, 25  # a law is known until so many times the longest run with so many more iterations
_FEW = "with too few iterations for a comparison with their chain"
_POINTS = 120  # times at which runs and law are compared


@dataclass(frozen=True, kw_only=True)
class ExactFit:
    """The runs of a cell compared with the exact distribution of their chain.

    label, runs: the cell, and how many runs it has.
    law: the distribution; None if the chain was not solved, for this `reason`.
    distance: the largest difference between the share of runs solved within a time and its probability.
    p_value, p_holm: of the test of Kolmogorov and Smirnov, and the same corrected for the number of cells;
        None without a law, or if no time can be compared.
    """

    label: str
    runs: int
    law: Distribution | None = None
    reason: str = ""
    distance: float = 0.0
    p_value: float | None = None
    p_holm: float | None = None

    @property
    def differs(self) -> bool:
        """Whether the runs do not follow the law, after the correction."""
        return self.p_holm is not None and self.p_holm < LEVEL

    @property
    def verdict(self) -> str:
        """What the test says."""
        if self.p_holm is None:
            return "not tested"
        return "differ" if self.differs else "no difference shown"


@dataclass(frozen=True, kw_only=True)
class ExactFits:
    """Cells compared with their exact distributions, or why not; `print` shows a sentence for each.

    >>> from gatewalk.analysis import cells_of
    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target=["and:3", "and:40"], nodes="n", replications=50, seed=7), jobs=1)
    >>> fits = exact_fits_of(cells_of(results))
    >>> [fit.verdict for fit in fits.cells]
    ['no difference shown', 'not tested']
    """

    cells: tuple[ExactFit, ...]

    def __repr__(self) -> str:
        return f"<ExactFits of {len(self.cells)} cells, {len(self.tested)} tested, {self.differing} differ>"

    def __str__(self) -> str:
        return "\n".join([*map(sentence, self.cells), self.meaning])

    def _repr_html_(self) -> str:
        rows = [
            (fit.label, number(fit.runs), fixed(fit.distance, 3), probability(fit.p_holm), fit.verdict)
            for fit in self.tested
        ]
        head = "".join(f"<th>{name}</th>" for name in ("cell", "runs", "largest distance", "p", "verdict"))
        body = "".join(f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in rows)
        return f"<table><tr>{head}</tr>{body}</table><p>{escape(self.meaning)}</p>"

    @property
    def tested(self) -> list[ExactFit]:
        """The cells whose runs were compared with a law."""
        return [fit for fit in self.cells if fit.p_holm is not None]

    @property
    def differing(self) -> int:
        """How many cells have runs that do not follow their law."""
        return sum(fit.differs for fit in self.cells)

    @property
    def meaning(self) -> str:
        """What the p-values mean, in a line; empty if there are none."""
        if not self.tested:
            return ""
        return (
            "p: the chance of a distance as large as this if the runs follow their chain (Kolmogorov and "
            f"Smirnov, simulated), corrected by Holm for {counted(len(self.tested), 'cell')}; below "
            f"{LEVEL:g} they differ."
        )


def exact_fits_of(
    cells: Sequence[CellRuns],
    *,
    seconds: float = SECONDS,
    memory: int = MEMORY,
    on_progress: OnProgress = lambda share, words: None,
) -> ExactFits:
    """Solve the chain of every cell, one for each law, and compare the runs with it.

    seconds, memory: leave out a chain that takes longer, or more bytes.
    """
    from gatewalk.theory.chain.sam.size import OTHERWISE

    longest: dict[str, int] = {}  # run of any cell, by law
    for cell in cells:
        law = law_text(cell.search)
        longest[law] = max(longest.get(law, 0), int(cell.runs.iterations.max()))
    laws: dict[str, Distribution | str] = {}
    fits = []
    for index, cell in enumerate(cells):
        law = law_text(cell.search)
        if law not in laws:

            def tell(share: float, words: str, index: int = index, label: str = cell.label) -> None:
                on_progress((index + share) / len(cells), f"exact distribution of {label}: {words}")

            tell(0.0, "starting")
            try:
                laws[law] = law_of(
                    cell.search, longest[law], seconds=seconds, memory=memory, on_progress=tell
                )
            except InputError as error:
                laws[law] = str(error).removesuffix(f"; {OTHERWISE}")
        fits.append(exact_fit(cell, laws[law]))
    return corrected(fits)


def law_of(
    search: Search,
    longest: int,
    *,
    seconds: float = SECONDS,
    memory: int = MEMORY,
    on_progress: OnProgress = lambda share, words: None,
) -> Distribution:
    """The distribution of the running time of a search; `InputError` says why there is none.

    longest: the iterations of the longest run. The distribution is known for times well above it.
    A chain that is estimated to take longer than `seconds` is not begun, and one that does is given up.
    """
    from gatewalk.theory.chain.exact import solve_chain
    from gatewalk.theory.chain.reach import chain_seconds
    from gatewalk.theory.chain.sam.size import check_size

    if not isinstance(search, CgpSearch):
        raise InputError("the distribution is known for cgp only")
    if not isinstance(search.training, Complete):
        raise InputError("every run has a training set of its own, and so a chain of its own")
    if search.nodes > _MOST_NODES:
        raise InputError(f"{search.nodes:,} nodes are too many; it is known for few, such as and:4 with 5")
    check_size(search, memory=memory)  # first, because the time is estimated for chains that can be
    expected = chain_seconds(search)
    if expected > seconds:
        raise InputError(f"its chain takes about {duration(expected)}, more than --seconds {seconds:g}")
    end = time.monotonic() + seconds

    def tell(share: float, words: str) -> None:
        if time.monotonic() > end:
            raise InputError(f"its chain is not solved within --seconds {seconds:g}")
        on_progress(share, words)

    chain = solve_chain(search, memory=memory, on_progress=lambda share, words: tell(share / 2, words))
    return chain.distribution(
        most=_MOST_STEPS,
        until=_BEYOND * (longest + _LEAST),
        on_progress=lambda share, words: tell((1 + share) / 2, words),
    )


def exact_fit(cell: CellRuns, law: Distribution | str) -> ExactFit:
    """The runs of a cell compared with a law, or the reason why there is none; p is not corrected."""
    fit = ExactFit(label=cell.label, runs=cell.runs.runs)
    if isinstance(law, str):
        return replace(fit, reason=law)
    given_up = cell.runs.iterations[~cell.runs.solved]
    last = min(float(cell.search.budget), float(given_up.min(initial=float("inf")))) - 1
    if last < 0:
        return replace(fit, law=law)
    times = law_times(law, last, points=_POINTS)
    found = goodness_of_fit(cell.runs, times, [law.cumulative(at) for at in times])
    return replace(fit, law=law, distance=found.distance, p_value=found.p_value, p_holm=found.p_value)


def corrected(fits: Sequence[ExactFit]) -> ExactFits:
    """The fits with p-values corrected for the number of tested cells."""
    tested = [fit.p_value for fit in fits if fit.p_value is not None]
    by_holm = iter(holm(tested))
    cells = [fit if fit.p_value is None else replace(fit, p_holm=next(by_holm)) for fit in fits]
    return ExactFits(cells=tuple(cells))


def sentence(fit: ExactFit) -> str:
    """How a cell's runs fit its chain, or why they were not compared."""
    if fit.law is None:
        return f"{fit.label}: no exact distribution: {fit.reason}"
    if fit.p_holm is None:
        return f"{fit.label}: {counted(fit.runs, 'run')} {_FEW}"
    verdict = "differ from their chain" if fit.differs else "no difference shown from their chain"
    return (
        f"{fit.label}: {counted(fit.runs, 'run')}: {verdict}: largest distance {fixed(fit.distance, 3)}; "
        f"p = {probability(fit.p_holm)}"
    )
