"""Numbers of any size, written and read without touching Python's limit."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.bigint import MOST_DIGITS, decimal, from_json, short, to_json, whole
from gatewalk.errors import InputError

SIZES = (0, 1, 8191, 8192, 8193, 14_283, 15_000, 16_385, 100_003)


@pytest.fixture
def unlimited() -> Iterator[None]:
    """Python's own conversion, to compare with."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(before)


@pytest.fixture
def limited() -> Iterator[None]:
    """Python's limit as it is in any program, whatever another test made of it."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("bits", SIZES)
def test_digits_are_pythons(unlimited: None, bits: int) -> None:
    for value in (1 << bits, (1 << bits) - 1, -(3 << bits) // 7, 10 ** (bits // 4)):
        assert decimal(value) == str(value)
        assert whole(str(value)) == value


@given(st.integers(), st.integers(0, 30_000))
def test_a_number_comes_back(value: int, shift: int) -> None:
    assert whole(decimal(value << shift)) == value << shift


def test_the_limit_is_left_alone(limited: None) -> None:
    assert len(decimal(2**15000)) == 4516
    assert whole("1" + "0" * 5000) == 10**5000
    assert sys.get_int_max_str_digits() == 4300


@pytest.mark.parametrize("text", ["", "-", "x", "1x", "1_000", " 1", "٣", "1.0", "--1", "0x10", "1\n"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(InputError, match="is not a whole number"):
        whole(text)


def test_a_number_that_is_too_long_is_not_read() -> None:
    with pytest.raises(InputError, match="a number of 400,001 digits"):
        whole("9" * (MOST_DIGITS + 1))


def test_json_of_any_size(limited: None) -> None:
    value = {"fitness": 2**20000, "list": [1, -(2**20000), None, 0.5, True, "x"], "é": {"y": []}}
    text = to_json(value)
    assert from_json(text) == value
    assert text.startswith('{"fitness": 3980')
    small = {"a": [1, 2.5, None], "é": "\x1b"}
    assert to_json(small) == json.dumps(small)


def test_what_is_no_json_stays_an_error() -> None:
    with pytest.raises(TypeError):
        to_json({"a": object()})


def test_short_numbers_for_people() -> None:
    assert short(1_234_567) == "1,234,567"
    assert short(2**15000) == "about 2^15000"
