"""Lines with their numbers, and sizes that are refused before anything is made of them."""

import pytest

from gatewalk.circuit.numbered_lines import numbered_lines, whole_number_in
from gatewalk.errors import InputError


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\r\n\nb", ["a", "", "b"]),
        ("a\x0bb\u2028c\n", ["a\x0bb\u2028c"]),
    ],
)
def test_lines(text, lines):
    assert list(numbered_lines(text)) == list(enumerate(lines, start=1))


def test_sizes():
    assert whole_number_in("0012", "a size", 3, 12) == 12
    for word in ("", "-1", "1.0", "1e3", "١", "²", "+1", "1_0"):
        with pytest.raises(InputError, match="line 3: a size must be a whole number"):
            whole_number_in(word, "a size", 3, 12)
    for word in ("13", "9" * 5000):
        with pytest.raises(InputError, match=r"line 3: a size is .*, Gatewalk reads at most 12"):
            whole_number_in(word, "a size", 3, 12)
