"""Powers are raised, indices lowered, and whatever else a text holds is shown as it is."""

from __future__ import annotations

import pytest

from gatewalk.report.prose import prose


@pytest.mark.parametrize(
    ("words", "markup"),
    [
        ("n^2 and (n − 1)^4.2", "n<sup>2</sup> and (n − 1)<sup>4.2</sup>"),
        ("c b^n, n^(a + 1), 2^{-n}", "c b<sup>n</sup>, n<sup>a + 1</sup>, 2<sup>-n</sup>"),
        ("And_n, Xor_3 and s_i", "And<sub>n</sub>, Xor<sub>3</sub> and s<sub>i</sub>"),
        ("tree_terminals, log_options, ^2, a ^ b", "tree_terminals, log_options, ^2, a ^ b"),
        ("1.21e+07, p = 2.6e−34", "1.21·10<sup>7</sup>, p = 2.6·10<sup>−34</sup>"),
        ("the32e+x, e+07", "the32e+x, e+07"),
        ("<b>^2</b> & n^<i>", "&lt;b&gt;^2&lt;/b&gt; &amp; n^&lt;i&gt;"),
        ('n^{"x"}', "n<sup>&quot;x&quot;</sup>"),
    ],
)
def test_prose(words: str, markup: str) -> None:
    assert prose(words) == markup
