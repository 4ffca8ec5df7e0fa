"""Rows of a training set as kernels want them: whole blocks of words, that begin with a line of the cache."""

from __future__ import annotations

from gatewalk.boolean.tables import Words
from gatewalk.boolean.training import TrainingSet, counted
from gatewalk.native.blocks import zeros


def padded(training: TrainingSet, *, sources: int, first: int, words: int) -> tuple[Words, Words, Words]:
    """So many words of a training set, as far as there are any, and zeros behind them.

    Room for the values of so many sources, with the inputs filled in; the target; which bits of it count.
    """

    def filled(columns: Words, count: int) -> Words:
        room = zeros(count * words).reshape(count, words)
        some = columns[:, first : first + words]
        room[: some.shape[0], : some.shape[1]] = some
        return room.ravel()

    outputs = len(training.outputs)
    return (
        filled(training.inputs, sources),
        filled(training.outputs, outputs),
        filled(counted(training), outputs),
    )
