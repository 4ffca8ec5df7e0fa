"""What somebody gave, as messages show it."""

import pytest

from gatewalk.errors import InputError, printable, shown, whole_number


def test_nothing_that_is_shown_steers_a_terminal():
    assert printable("é \x1b[31m\a\n\udcff") == r"é \x1b[31m\x07\n\udcff"
    assert shown("\x1b[31m\udcff") == r"'\x1b[31m\udcff'"


def test_what_is_shown_is_short():
    assert shown(12) == "12"
    assert shown(10**5000) == "2^16609 or more"
    assert shown(-(10**5000)) == "-2^16609 or more"
    assert len(shown("x" * 10**6)) < 200


def test_a_number_that_python_will_not_write_is_refused_in_one_line():
    with pytest.raises(InputError, match=r"--seed is 2\^16609 or more; it must be at most 9"):
        whole_number("--seed", 10**5000, least=0, most=9)
