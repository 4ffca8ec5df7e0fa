"""Triggers: which iterations of a recorded run become frames. The algorithm does not decide that."""

from __future__ import annotations

from dataclasses import dataclass

from gatewalk.errors import InputError, shown, whole_number


@dataclass(frozen=True, kw_only=True)
class Triggers:
    """The iterations that are recorded, besides the start and the end of a run.

    Parameters
    ----------
    first
        All of the first `first` iterations.
    neutral
        Among the first `neutral` iterations, those that accepted an equally fit offspring with another active
        part.
    improvements
        Those in which the parent became fitter.
    around
        With each improvement, up to so many generations before it and as many after it.
    powers
        Those whose number is a power of two.
    every
        Those whose number is a multiple of this; 0 is none.

    Examples
    --------
    >>> Triggers(first=100, every=1000).is_due(3000)
    True
    """

    first: int = 2000
    neutral: int = 4000
    improvements: bool = True
    around: int = 12
    powers: bool = True
    every: int = 0

    def __post_init__(self) -> None:
        for name in ("first", "neutral", "around", "every"):
            whole_number(f"trigger {name}", getattr(self, name), least=0)
        for name in ("improvements", "powers"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise InputError(f"trigger {name} is {shown(value)}; it must be True or False")

    @property
    def followed(self) -> int:
        """The number of first iterations that must be made one by one."""
        return max(self.first, self.neutral)

    def is_due(self, offspring: int) -> bool:
        """Whether this iteration is recorded whatever happens in it."""
        return (
            offspring <= self.first
            or (self.powers and offspring & (offspring - 1) == 0)
            or (self.every > 0 and offspring % self.every == 0)
        )

    def next_due(self, offspring: int) -> int | None:
        """The next iteration that is recorded whatever happens in it; None if there is none."""
        if offspring < self.first:
            return offspring + 1
        due = [1 << offspring.bit_length()] if self.powers else []
        if self.every:
            due.append((offspring // self.every + 1) * self.every)
        return min(due, default=None)
