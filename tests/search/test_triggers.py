import pytest

from gatewalk.errors import InputError
from gatewalk.search.triggers import Triggers


def test_due_are_the_first_powers_of_two_and_every_kth() -> None:
    triggers = Triggers(first=3, every=10)
    assert [t for t in range(1, 41) if triggers.is_due(t)] == [1, 2, 3, 4, 8, 10, 16, 20, 30, 32, 40]
    assert not Triggers(first=0, powers=False).is_due(4)


@pytest.mark.parametrize(
    "triggers",
    [Triggers(first=5, every=7), Triggers(first=0, powers=False, every=3), Triggers(first=2), Triggers()],
)
def test_the_next_that_is_due_is_the_first_one_after(triggers: Triggers) -> None:
    for t in range(3000):
        found = triggers.next_due(t)
        assert found is not None
        assert found > t
        assert triggers.is_due(found)
        assert not any(triggers.is_due(between) for between in range(t + 1, found))


def test_without_powers_and_every_nothing_is_due_after_the_first() -> None:
    triggers = Triggers(first=5, powers=False)
    assert [triggers.next_due(t) for t in (0, 4, 5, 100)] == [1, 5, None, None]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"first": -1}, "trigger first is -1; it must be at least 0"),
        ({"every": 1.5}, "trigger every is 1.5; it must be a whole number"),
        ({"powers": 1}, "trigger powers is 1; it must be True or False"),
    ],
)
def test_what_cannot_be_is_refused(options: dict, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Triggers(**options)
