"""A process that is started while interrupts are held back never sees Ctrl-C."""

import os
import signal
import subprocess
import sys

from gatewalk.campaign.held_interrupts import interrupts_held_back

WAIT = "import sys; print('up', flush=True); sys.stdin.read(); print('done')"


def test_the_child_never_sees_it_and_the_parent_does_again() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with interrupts_held_back():
        child = subprocess.Popen(
            [sys.executable, "-c", WAIT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
    assert child.stdout is not None
    assert child.stdout.readline() == "up\n"
    os.kill(child.pid, signal.SIGINT)
    assert child.communicate("")[0] == "done\n"
    assert child.returncode == 0
