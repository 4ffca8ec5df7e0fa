"""The rows of a training set in the layout of kernels: whole blocks of words, aligned to cache lines."""

from __future__ import annotations

from gatewalk.boolean.tables import Words
from gatewalk.boolean.training import TrainingSet, counted
from gatewalk.native.blocks import zeros


def padded(training: TrainingSet, *, sources: int, first: int, words: int) -> tuple[Words, Words, Words]:
    """The words from `first` to `first + words` of every column of a training set, padded with zeros.

    Returns three flat arrays with `words` words per column: the values of `sources` sources, of which only
    the inputs are filled in; the wanted outputs; and for each output the bits that count.
    """

    def filled(columns: Words, count: int) -> Words:
        aligned = zeros(count * words).reshape(count, words)
        some = columns[:, first : first + words]
        aligned[: some.shape[0], : some.shape[1]] = some
        return aligned.ravel()

    outputs = len(training.outputs)
    return (
        filled(training.inputs, sources),
        filled(training.outputs, outputs),
        filled(counted(training), outputs),
    )
