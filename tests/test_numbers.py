"""Numbers are written for people in one way, and numbers of any size without touching Python's limit."""

import html
import json
import random
import re
import sys
from importlib.resources import files
from math import inf, nan

import numpy as np
import pytest
from browser import document_after
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.errors import InputError
from gatewalk.numbers import (
    MOST_DIGITS,
    all_finite,
    as_programs_read,
    counted,
    decimal,
    duration,
    finite,
    fitness_text,
    fixed,
    for_json,
    from_json,
    number,
    probability,
    running_time,
    share,
    to_json,
    whole,
)

SIZES = (0, 1, 8191, 8192, 8193, 14_283, 15_000, 16_385, 100_003)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (7, "7"),
        (436_009, "436,009"),
        (-1_234, "−1,234"),
        (999_999_999_999, "999,999,999,999"),
        (10**12, "1 · 10¹²"),
        (np.int64(12_345_678), "12,345,678"),
        (0.0, "0"),
        (-0.0, "0"),
        (3.0, "3"),
        (12_869.7, "12,870"),
        (12_865.0, "12,870"),  # halves are rounded up
        (436_009.0, "436,000"),
        (0.03359, "0.03359"),
        (0.033600, "0.0336"),
        (-0.25, "−0.25"),
        (9.9999, "10"),
        (999.95, "1,000"),
        (0.0001, "0.0001"),
        (0.00009999, "9.999 · 10⁻⁵"),
        (0.000099999, "0.0001"),
        (999_949_999.0, "999,900,000"),
        (999_950_000.0, "1 · 10⁹"),
        (1.7976931348623157e308, "1.798 · 10³⁰⁸"),
        (5e-324, "4.941 · 10⁻³²⁴"),
        (-3.4121e-7, "−3.412 · 10⁻⁷"),
        (np.float64(2.5), "2.5"),
        (None, "–"),
        (nan, "–"),
        (inf, "∞"),
        (-inf, "−∞"),
    ],
)
def test_a_number_for_people(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (999_999, "999,999"),
        (1_000_000, "1 · 10⁶"),
        (123_456_789, "1.2 · 10⁸"),
        (1.2345e8, "1.2 · 10⁸"),
        (999_940.0, "999,900"),
        (999_960.0, "1 · 10⁶"),
        (9.96e8, "1 · 10⁹"),
        (3.41e-74, "3.4 · 10⁻⁷⁴"),
        (0.0336, "0.0336"),
    ],
)
def test_a_number_where_space_is_short(value, text):
    assert number(value, short=True) == text


def test_a_number_of_thousands_of_digits(limited):
    assert number(2**15000) == "2.818 · 10⁴⁵¹⁵"


def test_digits_can_be_chosen():
    assert [number(12_869.7, digits=digits) for digits in (1, 2, 6, 10)] == [
        "10,000",
        "13,000",
        "12,869.7",
        "12,869.7",
    ]


def test_a_running_time_says_if_nothing_was_solved():
    assert [running_time(value) for value in (inf, 1234.56, nan)] == ["not solved", "1,235", "–"]


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1.0, "1.000"),
        (0.5, "0.500"),
        (0.0123, "0.012"),
        (0.001, "0.001"),
        (0.00099, "9.9 · 10⁻⁴"),
        (1.3e-5, "1.3 · 10⁻⁵"),
        (3.41e-74, "3.4 · 10⁻⁷⁴"),
        (0.0, "< 10⁻³⁰⁰"),
        (nan, "–"),
        (None, "–"),
    ],
)
def test_a_probability(p, text):
    assert probability(p) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0 %"),
        (1e-9, "< 0.1 %"),
        (0.001, "0.1 %"),
        (0.95, "95 %"),
        (0.929, "92.9 %"),
        (0.99951, "> 99.9 %"),
        (0.9994, "99.9 %"),
        (1.0, "100 %"),
        (None, "–"),
        (nan, "–"),
    ],
)
def test_a_share(value, text):
    assert share(value) == text


def test_decimals_are_kept_where_columns_align():
    values = (2.5, -0.0004, -0.0006, 12_345.0, nan, -inf)
    assert [fixed(value, 3) for value in values] == ["2.500", "0.000", "−0.001", "12,345.000", "–", "−∞"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "< 1 ms"),
        (0.0031, "3 ms"),
        (0.1, "0.1 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.6, "1 min 0 s"),
        (119.7, "2 min 0 s"),
        (3599.6, "1 h 0 min"),
        (18_600, "5 h 10 min"),
        (187_200, "2 d 4 h"),
        (None, "–"),
        (inf, "–"),
    ],
)
def test_a_duration(seconds, text):
    assert duration(seconds) == text


def test_a_count_with_its_noun():
    assert counted(1, "cell") == "1 cell"
    assert counted(12_500, "cell") == "12,500 cells"
    assert counted(2, "mismatch", "mismatches") == "2 mismatches"


def test_a_fitness_is_shown_as_a_power_of_two_if_it_is_large():
    assert fitness_text(1_234_567) == "1,234,567"
    assert fitness_text(2**15000) == "about 2^15000"


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_four_digits_are_the_nearest(value):
    text = number(value).replace(",", "")
    factor, _, power = text.partition(" · 10")
    exponent = int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or "0")
    assert float(f"{factor}e{exponent}") == pytest.approx(value, rel=5.0001e-4)
    assert len(re.sub(r"[.]", "", factor).strip("0")) <= 4


@given(st.floats(-1e308, 1e308) | st.integers(-(10**15), 10**15))
def test_programs_can_read_what_was_written(value):
    text = as_programs_read(number(value))
    assert float(text) == pytest.approx(value, rel=5.0001e-4)
    assert as_programs_read(text) == text


@pytest.mark.parametrize(
    ("text", "programs"),
    [
        ("–", ""),
        ("∞", "inf"),
        ("−∞", "-inf"),
        ("not solved", "inf"),
        ("92.9 %", "0.929"),
        ("> 99.9 %", "> 99.9 %"),
        ("< 10⁻³⁰⁰", "< 1e-300"),
        ("3.4 · 10⁻⁷⁴", "3.4e-74"),
        ("CGP, D = n−1", "CGP, D = n-1"),
        ("and:4, 5", "and:4, 5"),
        ("29/30", "29/30"),
    ],
)
def test_cells_of_a_table_for_programs(text, programs):
    assert as_programs_read(text) == programs


def _awkward_values():
    """Numbers of every size, ties and numbers next to the limits of every rule."""
    draw = random.Random(1)
    values = [sign * draw.random() * 10 ** draw.randint(-12, 13) for sign in (1, -1) for _ in range(150)]
    values += [
        10.0**power * factor for power in range(-8, 13) for factor in (0.99999, 1, 1.00005, 1.5, 9.9996)
    ]
    values += [
        1234.5,
        12345.5,
        0.5,
        2.5,
        0.125,
        0.0625,
        0.00048828125,
        99.95,
        0.9995,
        0.9285,
        59.5,
        62.5,
        119.5,
    ]
    return values


def test_the_page_writes_numbers_as_python_does(tmp_path):
    script = files("gatewalk.report").joinpath("pages", "store_parts.js").read_text(encoding="utf-8")
    values = _awkward_values()
    counts = [round(abs(value)) for value in values]
    shares = [abs(value) % 1 for value in values] + [0, 1]
    asked = {
        "number(value)": (values, number),
        "number(value, { digits: 2 })": (values, lambda value: number(value, digits=2)),
        "number(value, { short: true })": (values, lambda value: number(value, short=True)),
        "runningTime(value)": (values, running_time),
        "count(value)": (counts, number),
        "fixed(value, 2)": (values, lambda value: fixed(value, 2)),
        "percent(value)": (shares, share),
        "probability(value)": (shares, probability),
        "duration(value)": (list(map(abs, values)), duration),
    }
    calls = ", ".join(f"{json.dumps(inputs)}.map((value) => {call})" for call, (inputs, _) in asked.items())
    shown = f"document.body.textContent = JSON.stringify([{calls}]);"
    page = f"<!doctype html><meta charset=utf-8><body><script>{script}\n{shown}</script></body>"
    document = document_after(page, tmp_path)
    written = json.loads(html.unescape(re.search("<body>(.*)</body>", document, re.DOTALL)[1]))
    for (call, (inputs, write)), texts in zip(asked.items(), written, strict=True):
        expected = list(map(write, inputs))
        wrong = [row for row in zip(inputs, texts, expected, strict=True) if row[1] != row[2]]
        assert not wrong, (call, wrong[:5])


def test_a_record_for_json():
    record = {"mean": inf, "low": -inf, "p": nan, "times": (1, 2.5, [nan]), "name": "x", "holds": True}
    assert for_json(record) == {
        "mean": "inf",
        "low": "-inf",
        "p": None,
        "times": [1, 2.5, [None]],
        "name": "x",
        "holds": True,
    }
    assert for_json([inf, nan, 1.0], infinite=None) == [None, None, 1.0]


def test_the_data_of_a_page_is_short_and_finite():
    assert all_finite([1234567.8, 0.123456789, 3.0, inf, nan, None]) == [
        1234570,
        0.123457,
        3,
        None,
        None,
        None,
    ]
    assert finite(0.123456789, 2) == 0.12


@pytest.fixture
def unlimited():
    """Python's own conversion, to compare with."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(before)


@pytest.fixture
def limited():
    """Python's limit as it is in any program, whatever another test made of it."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("bits", SIZES)
def test_digits_are_pythons(unlimited, bits):
    for value in (1 << bits, (1 << bits) - 1, -(3 << bits) // 7, 10 ** (bits // 4)):
        assert decimal(value) == str(value)
        assert whole(str(value)) == value


@given(st.integers(), st.integers(0, 30_000))
def test_a_number_comes_back(value, shift):
    assert whole(decimal(value << shift)) == value << shift


def test_the_limit_is_left_alone(limited):
    assert len(decimal(2**15000)) == 4516
    assert whole("1" + "0" * 5000) == 10**5000
    assert sys.get_int_max_str_digits() == 4300


@pytest.mark.parametrize("text", ["", "-", "x", "1x", "1_000", " 1", "٣", "1.0", "--1", "0x10", "1\n"])
def test_what_is_no_number(text):
    with pytest.raises(InputError, match="is not a whole number"):
        whole(text)


def test_a_number_that_is_too_long_is_not_read():
    with pytest.raises(InputError, match="the number has 400,001 digits"):
        whole("9" * (MOST_DIGITS + 1))


def test_json_of_any_size(limited):
    value = {"fitness": 2**20000, "list": [1, -(2**20000), None, 0.5, True, "x"], "é": {"y": []}}
    text = to_json(value)
    assert from_json(text) == value
    assert text.startswith('{"fitness": 3980')
    small = {"a": [1, 2.5, None], "é": "\x1b"}
    assert to_json(small) == json.dumps(small)


def test_what_is_no_json_stays_an_error():
    with pytest.raises(TypeError):
        to_json({"a": object()})
