"""Processes that tests start. Each has an end: one that hangs is killed, and its test fails.

A test that waits for a thread, an event or an answer gives it `LIMIT` seconds, too.
"""

import os
import signal
import subprocess
import threading
import time
from contextlib import contextmanager, suppress

# Seconds: several times what the slowest takes on a busy machine that compiles all kernels first.
LIMIT = 600
# Seconds for what was told to end.
PATIENCE = 60


def finished(command, **options):
    """A process that has come to its end, with what it printed; options are those of `subprocess.run`."""
    usual = {"capture_output": True, "text": True, "check": False, "timeout": LIMIT}
    return subprocess.run(command, **(usual | options))


def wait_until(happens):
    """Wait until `happens()`, for `LIMIT` seconds at most."""
    deadline = time.monotonic() + LIMIT
    while not happens():
        assert time.monotonic() < deadline, f"waited {LIMIT} seconds"
        time.sleep(0.02)


class Running:
    """A process under way, whose output is collected as it comes."""

    def __init__(self, process):
        self.process = process
        self._printed = {process.stdout: [], process.stderr: []}
        self._readers = [threading.Thread(target=self._collect, args=(pipe,)) for pipe in self._printed]
        for reader in self._readers:
            reader.start()

    def _collect(self, pipe):
        for line in pipe:
            self._printed[pipe].append(line)

    @property
    def out(self):
        """Standard output so far, whole lines."""
        return "".join(self._printed[self.process.stdout])

    @property
    def err(self):
        """Standard error so far, whole lines."""
        return "".join(self._printed[self.process.stderr])

    def wait_until(self, happens):
        """Wait until `happens(self)`; a process that ends before fails the test."""
        while not happens(self):
            assert self.process.poll() is None, f"it ended too soon: {self.out}{self.err}"
            time.sleep(0.02)

    def interrupt(self):
        """Ctrl-C, as a terminal sends it: to every process of the group."""
        os.killpg(self.process.pid, signal.SIGINT)

    def end(self):
        """Wait for the end, which is near; returns exit code, standard output and standard error.

        The pipes are read to their ends: every child that holds them must be gone, too.
        """
        self.process.wait(PATIENCE)
        self._read_all()
        return self.process.returncode, self.out, self.err

    def _read_all(self):
        for reader in self._readers:
            reader.join(PATIENCE)
            assert not reader.is_alive(), "a child goes on"


@contextmanager
def running(command, **options):
    """A process with a group of its own, all of it killed after the block or after `LIMIT` seconds."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )
    too_long = threading.Timer(LIMIT, _kill, [process])
    too_long.start()
    under_way = Running(process)
    try:
        yield under_way
    finally:
        too_long.cancel()
        _kill(process)
        process.wait(PATIENCE)
        under_way._read_all()
        process.stdout.close()
        process.stderr.close()


def _kill(process):
    """Kill every process of a group, whether its first has ended or not."""
    with suppress(ProcessLookupError):  # all of them are gone
        os.killpg(process.pid, signal.SIGKILL)


def interrupted(command, when, **options):
    """Exit code and output of a process that gets Ctrl-C as soon as `when(under_way)` is true."""
    with running(command, **options) as under_way:
        under_way.wait_until(when)
        under_way.interrupt()
        return under_way.end()
