"""All statements of the theory, of the paper and beyond it, in the order in which they are shown.

What is not the paper's is proved in a document of docs/theory.

`statements` applies all of them to a search: each has its number, or the assumptions that are not met.
`applied` applies one of them. To add one, decorate its formula (`gatewalk.theory.assumptions`) and list it
here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gatewalk.errors import InputError
from gatewalk.search.options import Search
from gatewalk.theory import chain_bounds, conjunction_times, conjunctions, enclosure, exclusives, trees
from gatewalk.theory.assumptions import Statement, check_taught, why_not

# By question; for each first what is proven beyond the paper, the best bound foremost, then the paper's.
STATEMENTS: tuple[Statement[..., Any], ...] = (
    # programs
    conjunctions.lemma1_bits,
    conjunctions.lemma2_levels,
    # E[T] of conjunctions, at most
    conjunction_times.conjunction_upper,
    chain_bounds.certified_bound,
    enclosure.upper,
    conjunctions.theorem6,
    conjunctions.theorem6_levels,
    conjunctions.theorem3,
    conjunctions.theorem3_closed,
    conjunctions.theorem3_tail,
    # at least
    conjunction_times.conjunction_lower,
    enclosure.lower,
    # from the penultimate start
    conjunction_times.penultimate_upper,
    conjunction_times.penultimate_lower,
    conjunctions.expected_iterations,
    conjunctions.leaving_probability,
    # the start, many nodes, sampled training sets
    conjunction_times.unused_inputs,
    conjunction_times.many_nodes_order,
    chain_bounds.sampled_expected,
    # exclusive disjunctions
    exclusives.xor_lower_active,
    exclusives.xor_lower,
    exclusives.xor_lower_log2,
    exclusives.xor_start_optimal,
    exclusives.xor_start_optimal_log2,
    exclusives.stuck_lower,
    exclusives.theorem9,
    exclusives.lemma7_probability,
    exclusives.lemma7_rest,
    exclusives.lemma8_drift,
    # trees
    trees.single_tinyverse,
    trees.single_order,
)

TAILS: tuple[Statement[..., Any], ...] = (  # their formulas have a parameter `probability`
    conjunction_times.conjunction_quantile,
    conjunctions.theorem6_quantile,
    conjunctions.theorem3_quantile,
    conjunctions.theorem3_witt_quantile,
    conjunctions.theorem4_quantile,
)


@dataclass(frozen=True)
class Applied:
    """A statement of the theory, applied to a search.

    key, name, says: its key in JSON, where it stands in the paper, and what its number is.
    value: the number; None if the statement does not apply.
    why: if it does not apply, the assumptions that are not met, each after what it is about.
    note: if it applies, what to know along with the number, such as an assumption that nobody can check.

    >>> from gatewalk import search_for
    >>> theorem3 = applied("theorem3", search_for("xor:4"))
    >>> theorem3.value, theorem3.why
    (None, 'target: needs and:N with gates and')
    """

    key: str
    name: str
    says: str
    value: Any
    why: str = ""
    note: str = ""

    @property
    def side(self) -> str:
        """ "at most" or "at least" if the number bounds an expectation, E[...], else an empty text."""
        is_bound = self.says.startswith("E[") and self.says.partition("] ")[2]
        return next((side for side in ("at most", "at least") if is_bound and is_bound.startswith(side)), "")


def statements(search: Search) -> tuple[Applied, ...]:
    """Every entry of `STATEMENTS`, applied to this search.

    >>> from gatewalk import search_for
    >>> by_key = {item.key: item for item in statements(search_for("and:8", training="sample"))}
    >>> by_key["theorem3"].value, by_key["theorem3"].why
    (None, 'training: needs the complete set: --training complete')
    """
    check_taught(search)
    return tuple(_apply(statement, search) for statement in STATEMENTS)


def applied(key: str, search: Search) -> Applied:
    """The statement with this key in `gatewalk bounds --json`, applied to this search.

    >>> from gatewalk import search_for
    >>> applied("theorem4_expected", search_for("and:3", nodes=2, selection="strict")).value
    663.0
    """
    check_taught(search)
    for statement in STATEMENTS:
        if statement.key == key:
            return _apply(statement, search)
    keys = ", ".join(statement.key for statement in STATEMENTS)
    raise InputError(f"unknown statement {key!r}; the statements are {keys}")


def tail_statements(search: Search, probability: float) -> tuple[Applied, ...]:
    """Iterations that are not exceeded with a given probability, by each statement that gives any.

    >>> from gatewalk import search_for
    >>> tails = tail_statements(search_for("and:8", nodes=16), 0.99)
    >>> [item.key for item in tails if item.value is not None]
    ['conjunction_markov', 'theorem6_markov', 'theorem3', 'theorem3_lemma10']
    """
    conjunctions.check_probability(probability)
    check_taught(search)
    return tuple(_apply(statement, search, probability=probability) for statement in TAILS)


def _apply(statement: Statement[..., Any], search: Search, **chosen: Any) -> Applied:
    key, name, says = statement.key, statement.name, statement.says
    why = why_not(statement.needs, search)
    if why:
        return Applied(key, name, says, None, why)
    note = "; ".join(_notes(statement, search))
    return Applied(key, name, says, statement.value(search, **chosen), note=note)


def _notes(statement: Statement[..., Any], search: Search) -> Iterator[str]:
    if statement.note:
        yield statement.note
    for assumption in statement.needs:
        if assumption.holds is None and (words := assumption.words_for(search)):
            yield words
