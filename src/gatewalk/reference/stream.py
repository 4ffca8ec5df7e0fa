"""The kernels' random stream in plain Python integers: xoshiro256++ with Lemire's bounded integers.

Written independently of `gatewalk.native.stream`, so that each checks the other.
"""

from __future__ import annotations

from collections.abc import Iterable

_MASK = (1 << 64) - 1
_HALF = 1 << 32


def _rotate(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (64 - bits))) & _MASK


class Stream:
    """A random stream; `words` is its state, four 64-bit integers."""

    def __init__(self, words: Iterable[int]) -> None:
        self.words = [int(word) for word in words]

    def word(self) -> int:
        """The next 64 random bits."""
        a, b, c, d = self.words
        result = (_rotate((a + d) & _MASK, 23) + a) & _MASK
        shifted = (b << 17) & _MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = _rotate(d, 45)
        self.words = [a, b, c, d]
        return result

    def pick(self, bound: int) -> tuple[int, int]:
        """An integer uniform on [0, bound), and the unused lower half of its word."""
        while True:
            word = self.word()
            product = (word >> 32) * bound
            if product % _HALF >= _HALF % bound:
                return product // _HALF, word % _HALF

    def below(self, bound: int) -> int:
        """An integer uniform on [0, bound)."""
        return self.pick(bound)[0]

    def below_from(self, spare: int, bound: int) -> int:
        """An integer uniform on [0, bound) from the half word that `pick` returned."""
        product = spare * bound
        if product % _HALF >= _HALF % bound:
            return product // _HALF
        return self.below(bound)

    def coin(self) -> bool:
        """True with probability 1/2."""
        return self.word() >> 63 == 1

    def unit(self) -> float:
        """A float uniform on the multiples of 2^-53 in [0, 1)."""
        return (self.word() >> 11) * 2.0**-53
