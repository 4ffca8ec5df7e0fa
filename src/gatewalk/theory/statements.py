"""All statements of the theory, of the paper and beyond it, in the order in which they are shown.

`statements` applies all of them to given settings: each has its number, or the assumptions that these
settings do not meet. `applied` applies one of them. To add one, decorate its formula
(`gatewalk.theory.assumptions`) and list it here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gatewalk.errors import InputError
from gatewalk.search.settings import Settings
from gatewalk.theory import chain_bounds, conjunctions, enclosure, exclusives, trees
from gatewalk.theory.assumptions import Statement, check_taught, why_not

OF_PAPER: tuple[Statement[..., Any], ...] = (
    conjunctions.lemma1_bits,
    conjunctions.lemma2_levels,
    conjunctions.theorem3,
    conjunctions.theorem3_closed,
    conjunctions.theorem3_tail,
    conjunctions.theorem6,
    conjunctions.theorem6_levels,
    conjunctions.leaving_probability,
    conjunctions.expected_iterations,
    exclusives.lemma7_probability,
    exclusives.lemma7_rest,
    exclusives.lemma8_drift,
    exclusives.theorem9,
)
BEYOND_PAPER: tuple[Statement[..., Any], ...] = (  # each is proved in a document of docs/theory
    chain_bounds.certified_bound,
    enclosure.lower,
    enclosure.upper,
    chain_bounds.sampled_expected,
    exclusives.xor_start_optimal,
    exclusives.xor_start_optimal_log2,
    exclusives.xor_lower,
    exclusives.xor_lower_active,
    exclusives.xor_lower_log2,
    exclusives.stuck_lower,
)
OF_TREES: tuple[Statement[..., Any], ...] = (trees.single_tinyverse, trees.single_order)
STATEMENTS = (*OF_PAPER, *BEYOND_PAPER, *OF_TREES)

TAILS: tuple[Statement[..., Any], ...] = (  # their formulas have a parameter `probability`
    conjunctions.theorem3_quantile,
    conjunctions.theorem3_witt_quantile,
    conjunctions.theorem6_quantile,
    conjunctions.theorem4_quantile,
)


@dataclass(frozen=True)
class Applied:
    """A statement of the theory, applied to the settings of a search.

    Attributes
    ----------
    key, name, says
        Its key in JSON, where it stands in the paper, and what its number is.
    value
        The number; None if the statement does not apply.
    why
        If it does not apply: the assumptions that are not met, each after what it is about.
    note
        If it applies: what to know along with the number, such as an assumption that nobody can check.

    Examples
    --------
    >>> from gatewalk import settings
    >>> theorem3 = applied("theorem3", settings("xor:4"))
    >>> theorem3.value, theorem3.why
    (None, 'target: needs and:N with gates and')
    """

    key: str
    name: str
    says: str
    value: Any
    why: str = ""
    note: str = ""


def statements(settings: Settings) -> tuple[Applied, ...]:
    """Every entry of `STATEMENTS`, applied to these settings.

    >>> from gatewalk import settings
    >>> by_key = {item.key: item for item in statements(settings("and:8", training="sample"))}
    >>> by_key["theorem3"].value, by_key["theorem3"].why
    (None, 'training: needs the complete set: --training complete')
    """
    check_taught(settings)
    return tuple(_apply(statement, settings) for statement in STATEMENTS)


def applied(key: str, settings: Settings) -> Applied:
    """The statement with this key in `gatewalk bounds --json`, applied to these settings.

    >>> from gatewalk import settings
    >>> applied("theorem4_expected", settings("and:3", nodes=2, selection="strict")).value
    663.0
    """
    check_taught(settings)
    for statement in STATEMENTS:
        if statement.key == key:
            return _apply(statement, settings)
    keys = ", ".join(statement.key for statement in STATEMENTS)
    raise InputError(f"unknown statement {key!r}; the statements are {keys}")


def tail_statements(settings: Settings, probability: float) -> tuple[Applied, ...]:
    """Iterations that are not exceeded with a given probability, by each statement that gives any.

    >>> from gatewalk import settings
    >>> tails = tail_statements(settings("and:8", nodes=16), 0.99)
    >>> [item.key for item in tails if item.value is not None]
    ['theorem3', 'theorem3_lemma10', 'theorem6_markov']
    """
    conjunctions.check_probability(probability)
    check_taught(settings)
    return tuple(_apply(statement, settings, probability=probability) for statement in TAILS)


def _apply(statement: Statement[..., Any], settings: Settings, **chosen: Any) -> Applied:
    key, name, says = statement.key, statement.name, statement.says
    why = why_not(statement.needs, settings)
    if why:
        return Applied(key, name, says, None, why)
    note = "; ".join(_notes(statement, settings))
    return Applied(key, name, says, statement.value(settings, **chosen), note=note)


def _notes(statement: Statement[..., Any], settings: Settings) -> Iterator[str]:
    if statement.note:
        yield statement.note
    for assumption in statement.needs:
        if assumption.holds is None:
            yield assumption.words_for(settings)
