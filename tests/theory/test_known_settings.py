"""What the theory has not heard of is refused in one line, wherever it comes in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from gatewalk.cgp import mutations
from gatewalk.cgp.law import CgpLaw
from gatewalk.errors import InputError
from gatewalk.search.settings import ALGORITHMS, EVALUATIONS, SELECTIONS, Settings, settings
from gatewalk.theory.chain.rational_times import rational
from gatewalk.theory.chain.solver import exact_details, exact_result
from gatewalk.theory.known_settings import CHOICES, OPTIONS, check_known, picked_ends, tie_acceptance
from gatewalk.theory.observation import observe_runs
from gatewalk.theory.statements import statements, tail_statements

MADE = settings("and:2", nodes=2)
DOORS: list[Callable[[Settings], Any]] = [
    exact_result,
    exact_details,
    rational,
    statements,
    lambda search: tail_statements(search, 0.9),
    lambda search: observe_runs(search, seed=0, runs=1),
]


@dataclass(frozen=True, kw_only=True)
class LongerLaw(CgpLaw):
    """A law with an option that nobody told the theory of."""

    elitism: int = 0


@dataclass(frozen=True, kw_only=True)
class LongerSettings(Settings):
    """The same for settings."""

    crossover: str = "none"


class Shuffle(NamedTuple):
    """A mutation of a later time."""


UNKNOWN: list[tuple[Settings, str]] = [
    (replace(MADE, algorithm="lgp"), "algorithm 'lgp'"),
    (replace(MADE, selection="lexicase"), "selection 'lexicase'"),
    (replace(MADE, evaluation="quantum"), "evaluation 'quantum'"),
    (replace(MADE, mutation="shuffle"), "unknown mutation 'shuffle'"),
    (replace(MADE, training="active"), "training is 'active'"),
    (replace(MADE, law=replace(MADE.law, ties="best")), "option ties 'best'"),  # type: ignore[arg-type]
    (replace(MADE, law=replace(MADE.law, sam_ends="never")), "option sam_ends 'never'"),  # type: ignore[arg-type]
    (replace(MADE, law=replace(MADE.law, waiting="hoped")), "option waiting 'hoped'"),  # type: ignore[arg-type]
    (replace(MADE, law=LongerLaw(elitism=3)), "option elitism"),
    (LongerSettings(**{**vars(MADE), "crossover": "one-point"}), "setting crossover"),
    (replace(MADE, algorithm="tgp-single"), "tgp-single needs a TgpLaw"),
]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("search", "words"), UNKNOWN)
def test_unknown_is_refused_at_every_door(
    door: Callable[[Settings], Any], search: Settings, words: str
) -> None:
    with pytest.raises(InputError, match=words) as refused:
        door(search)
    assert "\n" not in str(refused.value)


def test_what_is_not_listed_may_have_its_default() -> None:
    check_known(replace(MADE, law=LongerLaw()))
    check_known(LongerSettings(**vars(MADE)))


def test_a_mutation_that_others_can_do_has_no_exact_times(monkeypatch: pytest.MonkeyPatch) -> None:
    module = SimpleNamespace(USAGE="shuffle:K", parse=lambda strength: Shuffle())
    monkeypatch.setitem(mutations.MODULES, "shuffle", module)  # type: ignore[arg-type]
    search = settings("and:2", nodes=2, mutation="shuffle:2")
    with pytest.raises(
        InputError, match="exact times are for mutation sam, point:K and rate:P, not shuffle:2"
    ):
        exact_result(search)
    with pytest.raises(InputError, match="sam, point:K and rate:P, not shuffle:2"):
        exact_details(search)
    with pytest.raises(InputError, match="with sam"):
        rational(search)
    bounds = {item.key: item for item in statements(search)}
    for key in ("theorem3", "theorem6", "theorem3_tail_delta1"):
        assert bounds[key].value is None
        assert "--mutation sam" in bounds[key].why


def test_the_theory_knows_all_that_a_search_can_be() -> None:
    assert CHOICES == {"algorithm": ALGORITHMS, "selection": SELECTIONS, "evaluation": EVALUATIONS}
    for law, options in OPTIONS.items():
        assert list(options) == list(law.__dataclass_fields__)  # type: ignore[attr-defined]


def test_ties() -> None:
    coin = replace(MADE.law, ties="coin")
    assert tie_acceptance(MADE) == 1.0
    assert tie_acceptance(replace(MADE, law=coin)) == 0.5
    assert tie_acceptance(replace(MADE, law=coin, selection="strict")) == 0.0
    with pytest.raises(InputError, match="does not know selection"):
        tie_acceptance(replace(MADE, selection="plus"))


def test_the_end_of_sam() -> None:
    assert not picked_ends(CgpLaw())
    assert picked_ends(CgpLaw(sam_ends="picked"))
    with pytest.raises(InputError, match="sam_ends='soon'"):
        picked_ends(CgpLaw(sam_ends="soon"))  # type: ignore[arg-type]
