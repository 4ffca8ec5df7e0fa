"""The plain stream: published numbers of xoshiro256++, and bounded integers by their definition."""

from collections import Counter

from gatewalk.reference.stream import Stream


def test_the_first_words_from_a_known_state():
    # The vector that Rust's rand_xoshiro made with the authors' C code.
    stream = Stream([1, 2, 3, 4])
    assert [stream.word() for _ in range(4)] == [41943041, 58720359, 3588806011781223, 3591011842654386]


def test_a_bounded_integer_is_the_upper_half_scaled():
    words, picks = Stream([5, 6, 7, 8]), Stream([5, 6, 7, 8])
    for bound in (1, 2, 7, 1000):
        word = words.word()
        assert picks.pick(bound) == ((word >> 32) * bound >> 32, word & 0xFFFFFFFF)


def test_words_that_would_bias_a_draw_are_rejected():
    bound = 3 << 30  # of four equal parts of the words, those that would fall twice on a value are rejected
    stream = Stream([9, 10, 11, 12])
    before = list(stream.words)
    counts = Counter(stream.below(bound) >> 30 for _ in range(3000))
    assert set(counts) == {0, 1, 2}
    again, words = Stream(before), 0
    while again.words != stream.words:
        again.word()
        words += 1
    assert 3500 < words < 4500  # a quarter is rejected; a standard deviation is about 37


def test_a_spare_half_draws_without_a_new_word():
    stream = Stream([1, 2, 3, 4])
    state = list(stream.words)
    assert stream.below_from(0x80000001, 10) == 5
    assert stream.words == state


def test_coins_and_units():
    stream = Stream([21, 22, 23, 24])
    assert 400 < sum(stream.coin() for _ in range(1000)) < 600
    units = [stream.unit() for _ in range(1000)]
    assert all(0 <= unit < 1 and unit * 2**53 % 1 == 0 for unit in units)
