"""Batches on a Dask cluster: `dask` (distributed) brings them to the workers and back.

Gatewalk must be installed there too, in the same version. A worker that dies takes nothing
with it: its batches go to another one, and a run on its way travels as a saved session.
"""

from __future__ import annotations

import contextlib
import os
import queue
import time
from collections.abc import Iterator
from typing import Any

from gatewalk.campaign.batch import Batch, Outcome, work
from gatewalk.errors import InputError
from gatewalk.extras import need

_SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "inproc")  # others would leave half a client, which complains
_CONNECT_SECONDS = 10
_COUNT_EVERY = 2.0  # seconds between looks at the number of workers
_TRIES = 5


class Cluster:
    """The executor for a connected client; see `executors.Executor`."""

    def __init__(self, client: Any, address: str) -> None:
        self.name = f"dask {address}"
        self._client = client
        self._ready: queue.Queue[Any] = queue.Queue()  # not a SimpleQueue: see `executors.Threads`
        self._batches: dict[str, tuple[Any, Batch, int]] = {}  # by the future's key: itself, what, which try
        self._workers, self._counted = 0, -_COUNT_EVERY

    @property
    def workers(self) -> int:
        """The threads of all workers there are; they may come and go."""
        if time.monotonic() - self._counted >= _COUNT_EVERY:
            self._workers = sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return self._workers

    @property
    def slots(self) -> int:
        """Two batches a thread, so that none waits for the network."""
        return max(2, 2 * self.workers)

    def submit(self, batch: Batch) -> None:
        self._send(batch, 1)

    def _send(self, batch: Batch, attempt: int) -> None:
        future = self._client.submit(work, batch, pure=False)
        self._batches[future.key] = (future, batch, attempt)
        future.add_done_callback(self._ready.put)

    def wait(self, seconds: float) -> list[Outcome]:
        outcomes: list[Outcome] = []
        with contextlib.suppress(queue.Empty):
            self._take(self._ready.get(timeout=seconds), outcomes)
            while True:
                self._take(self._ready.get_nowait(), outcomes)
        return outcomes

    def stop(self) -> list[Outcome]:
        outcomes = self.wait(0.001)
        self._client.cancel([future for future, _, _ in self._batches.values()], force=True)
        for _, batch, _ in self._batches.values():  # back to where their runs were when they were sent
            outcomes.append(
                Outcome(
                    cell=batch.cell,
                    parts=(),
                    left=(),
                    checkpoint=batch.checkpoint,
                    pace=batch.pace,
                    spent=0.0,
                )
            )
        self._batches.clear()
        return outcomes

    def _take(self, future: Any, outcomes: list[Outcome]) -> None:
        """Take a future's outcome; if it was lost with its workers, send the batch again."""
        from distributed import KilledWorker

        if future.key not in self._batches:
            return
        _, batch, attempt = self._batches.pop(future.key)
        if future.status == "finished":
            with contextlib.suppress(TimeoutError, OSError):
                outcomes.append(future.result(timeout=_CONNECT_SECONDS))
                return
        elif future.status == "error":
            error = future.exception(timeout=_CONNECT_SECONDS)
            if isinstance(error, ImportError):
                raise InputError(f"a worker cannot import Gatewalk ({error}); install it there") from None
            if not isinstance(error, KilledWorker):
                raise error
        if attempt == _TRIES:
            raise InputError(
                f"workers died {attempt} times over {batch.settings.target}; give them more memory"
            )
        self._send(batch, attempt + 1)


@contextlib.contextmanager
def on_cluster(address: str) -> Iterator[Cluster]:
    """The cluster of the scheduler at an address, or described by a scheduler file."""
    need("distributed", "running on a cluster")
    from distributed import Client

    is_file = address.endswith(".json") or os.path.isfile(address)
    if is_file and not os.path.isfile(address):
        raise InputError(
            f"{address}: no such scheduler file; start `dask scheduler --scheduler-file {address}`"
        )
    scheme, separator, _ = address.partition("://")
    if separator and scheme not in _SCHEMES:
        raise InputError(f"{address}: no way to reach a scheduler; give its tcp://HOST:PORT")
    place = {"scheduler_file": address} if is_file else {"address": address}
    try:
        client = Client(**place, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"no Dask scheduler at {address} ({reason}); give its tcp://HOST:PORT") from None
    try:
        yield Cluster(client, address)
    finally:
        client.close(timeout=1)
