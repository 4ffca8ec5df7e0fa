"""Being told when Numba compiles instead of loading from the cache."""

from __future__ import annotations

from collections.abc import Callable

from numba.core import event


def watch_compilations(began: Callable[[], None], ended: Callable[[], None]) -> None:
    """Have a function called when a compilation begins and one when it ends, in the thread that compiles."""

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, event: object) -> None:
            began()

        def on_end(self, event: object) -> None:
            ended()

    event.register("numba:compile", Listener())
