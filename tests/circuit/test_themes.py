"""Every role has a look in every theme, and texts can be read on what is behind them."""

import pytest

from gatewalk.circuit.themes import LOOKS


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_same_roles_everywhere():
    assert len({tuple(looks) for looks in LOOKS.values()}) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_and_lines_can_be_seen(theme):
    looks = LOOKS[theme, False]
    for role, behind in [
        ("label", "input"),
        ("label", "output"),
        ("kind", "gate"),
        ("name", "gate"),
        ("pin", "gate"),
        ("gene", "gate"),
        ("number", "page"),
    ]:
        assert contrast(looks[role].fill, looks[behind].fill) >= 4.5  # level AA of the WCAG
    for role in ("wire", "gate", "line", "input", "output"):
        assert contrast(looks[role].stroke, looks["page"].fill) >= 3
    for role in ("wire", "gate"):
        faded = contrast(LOOKS[theme, True][role].stroke, looks["page"].fill)
        assert 1.5 <= faded < contrast(looks[role].stroke, looks["page"].fill) / 2
