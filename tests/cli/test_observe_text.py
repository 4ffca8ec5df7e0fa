"""The text of `gatewalk observe`: tables, intervals and the legend."""

from __future__ import annotations

from math import inf, nan

import pytest
from command import call

from gatewalk.cli import observe_text
from gatewalk.theory.level_report import Frequency


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return call(capsys, "observe", *arguments)


def test_symbols_are_explained_and_rates_have_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "and:4", "--runs", "30", "--seed", "2")
    for term in ("level i", "i+", "i-", "p, q", "r, s", "leave", "waiting", "s_i", "q', r', s'", "[a, b]"):
        assert any(line.startswith(term) for line in out.splitlines()), term
    rows = [line for line in out.splitlines() if line.startswith("    3")]
    assert [row.count("[") for row in rows] == [1, 3, 2]  # leave; p, q, p + q; r, s
    _, out, _ = run(capsys, "and:4", "--runs", "30", "--selection", "strict")
    assert "(p+q)/q'" not in out  # Theorem 6 is not about strict selection
    _, out, _ = run(capsys, "xor:4", "--nodes", "n", "--budget", "200", "--runs", "5")
    assert "Lemma 8's potential" in out
    assert "[+" in out


def test_a_rate_is_shown_with_its_interval_if_it_is_told() -> None:
    assert observe_text._rate(Frequency(0, 0, nan, 0.0, 1.0)) == "-"
    assert observe_text._rate(Frequency(1, 4, 0.25, 0.0, 1.0)) == "0.25"
    assert observe_text._rate(Frequency(1, 4, 0.25, 0.1, 0.5)) == "0.25 [.1, .5]"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (nan, "-"),
        (inf, "infinite"),
        (3.14159, "3.14"),
        (123.4, "123"),
        (45_678.0, "45,678"),
        (2e9, "2.00e+09"),
    ],
)
def test_numbers_have_the_digits_that_tell_something(value: float, shown: str) -> None:
    assert observe_text._number(value) == shown
