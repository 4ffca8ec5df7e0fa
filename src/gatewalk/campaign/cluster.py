"""Batches on a Dask cluster: `dask.distributed` sends them to workers and brings their outcomes back.

Workers need the same version of Gatewalk. If a worker dies, nothing is lost: its batches go to another
worker, and long runs travel as saved sessions.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue
import re
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from typing import Any

from gatewalk.circuit.files import check_regular
from gatewalk.errors import InputError
from gatewalk.extras import need
from gatewalk.search.batch import Batch, Outcome, check_outcome, run_batch

CLUSTER = "dask "  # the beginning of the name of this executor

# An address of another form would leave a half-open client of distributed that logs errors for 20 seconds.
_ADDRESS = re.compile(
    r"((tcp|tls|ws|wss|ucx)://)?([\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}/?|inproc://[\w./:-]+", re.ASCII
)
_CONNECT_SECONDS = 10
_COUNT_EVERY = 2.0  # seconds after which the workers are counted again
_TRIES = 5
_TLS = ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
_LOGGERS = ("client", "comm", "core", "batched")


class LostCluster(InputError):
    """The scheduler is gone, and with it all batches under way. What was finished before is stored."""


class Cluster:
    """The `Executor` of a connected Dask client."""

    def __init__(self, client: Any, address: str) -> None:
        self.name = f"{CLUSTER}{address}"
        self._address = address
        self._client = client
        self._ready: queue.Queue[Any] = queue.Queue()  # not a SimpleQueue: see `scheduler._Threads`
        self._batches: dict[str, tuple[Any, Batch, int]] = {}  # by key: the future, its batch, the attempt
        self._workers, self._counted = 0, -_COUNT_EVERY

    @property
    def workers(self) -> int:
        """The threads of all workers that are connected now; workers may come and go."""
        if time.monotonic() - self._counted >= _COUNT_EVERY:
            with self._reached():
                self._workers = sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return self._workers

    @property
    def slots(self) -> int:
        """Two batches per thread, so that no thread waits for the network."""
        return max(2, 2 * self.workers)

    def submit(self, batch: Batch) -> None:
        self._send(batch, 1)

    def _send(self, batch: Batch, attempt: int) -> None:
        with self._reached():
            future = self._client.submit(run_batch, batch, pure=False)
        self._batches[future.key] = (future, batch, attempt)
        future.add_done_callback(self._ready.put)

    def wait(self, seconds: float) -> list[Outcome]:
        outcomes: list[Outcome] = []
        self._check()
        with contextlib.suppress(queue.Empty):
            self._take(self._ready.get(timeout=seconds), outcomes)
            while True:
                self._take(self._ready.get_nowait(), outcomes)
        return outcomes

    def stop(self) -> list[Outcome]:
        outcomes: list[Outcome] = []
        with contextlib.suppress(LostCluster), self._reached():
            outcomes += self.wait(0.001)
            self._client.cancel([future for future, _, _ in self._batches.values()], force=True)
        for _, batch, _ in self._batches.values():  # their runs are as they were when they were sent
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

    @contextlib.contextmanager
    def _reached(self) -> Iterator[None]:
        """Turn every error of distributed about an unreachable scheduler into one `LostCluster`.

        A client that lost its connection has given up all its futures and waits for a new scheduler at the
        same address without answering Ctrl-C. So such a client is not waited for.
        """
        from distributed.client import ClosedClientError

        self._check()
        try:
            yield
        except (OSError, CancelledError, ClosedClientError):
            raise self._lost() from None
        except RuntimeError:
            self._check()
            raise

    def _check(self) -> None:
        if self._client.status != "running":
            raise self._lost()

    def _lost(self) -> LostCluster:
        return LostCluster(f"lost the Dask scheduler at {self._address}")

    def _take(self, future: Any, outcomes: list[Outcome]) -> None:
        """Add the outcome of a future; if its workers died, send its batch again."""
        from distributed import KilledWorker

        if future.key not in self._batches:
            return
        _, batch, attempt = self._batches[future.key]
        if future.status == "finished":
            with contextlib.suppress(TimeoutError, OSError):
                outcomes.append(check_outcome(batch, future.result(timeout=_CONNECT_SECONDS)))
                del self._batches[future.key]
                return
        elif future.status == "error":
            with self._reached():
                error = future.exception(timeout=_CONNECT_SECONDS)
            if isinstance(error, ImportError):
                raise InputError(f"a worker cannot import Gatewalk ({error}); install it there") from None
            if not isinstance(error, KilledWorker):
                raise error
        if attempt == _TRIES:
            raise InputError(
                f"workers died {attempt} times over {batch.search.target.name}; give them more memory"
            )
        self._send(batch, attempt + 1)
        del self._batches[future.key]


@contextlib.contextmanager
def on_cluster(address: str) -> Iterator[Cluster]:
    """Connect to the scheduler at an address, or to the one that a scheduler file describes."""
    need("distributed", "running on a cluster")
    from distributed import Client

    scheduler = scheduler_address(address)
    if scheduler.startswith(("tls:", "wss:")):
        _check_certificates(scheduler)
    try:
        client = Client(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"no Dask scheduler at {address} ({reason}); give its tcp://HOST:PORT") from None
    with _without_its_log():  # its messages would only repeat the error that is raised here
        try:
            yield Cluster(client, address)
        finally:
            with contextlib.suppress(OSError):
                client.close(timeout=1)


def scheduler_address(text: str) -> str:
    """The address of a scheduler, from the address itself or from the path of a scheduler file."""
    address: object = text
    if text.endswith(".json") or os.path.isfile(text):
        try:
            check_regular(text)
            with open(text, encoding="utf-8") as file:
                address = json.load(file)["address"]
        except FileNotFoundError:
            raise InputError(
                f"{text}: no such scheduler file; start `dask scheduler --scheduler-file {text}`"
            ) from None
        except (ValueError, RecursionError, LookupError, TypeError):
            raise InputError(f"{text}: not the file of a Dask scheduler") from None
    if not isinstance(address, str) or not _ADDRESS.fullmatch(address):
        raise InputError(f"{text}: no way to reach a scheduler; give its tcp://HOST:PORT")
    return address


def _check_certificates(address: str) -> None:
    """Refuse a TLS address without certificates, for which distributed would print several lines."""
    from distributed.security import Security

    names = ", ".join(f"DASK_DISTRIBUTED__COMM__TLS__{name}" for name in _TLS)
    advice = f"{address} needs certificates: set {names}"
    try:
        arguments = Security().get_connection_args("client")
    except (OSError, ValueError) as error:
        raise InputError(f"{advice} ({error})") from None
    if arguments.get("ssl_context") is None:
        raise InputError(advice)


@contextlib.contextmanager
def _without_its_log() -> Iterator[None]:
    """Suppress what distributed logs about lost connections."""
    loggers = [logging.getLogger(f"distributed.{name}") for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
