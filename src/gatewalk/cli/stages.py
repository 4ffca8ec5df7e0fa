"""The display of a command with several stages, and its message when it is interrupted."""

from __future__ import annotations

import shlex
import sys
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING

import click

from gatewalk.cli.interrupts import keep
from gatewalk.errors import printable

if TYPE_CHECKING:
    from gatewalk.campaign import Progress
    from gatewalk.campaign.runner import Watch


class Stages:
    """Shows the progress of one campaign at a time, and a line for each other step: `with Stages(again)`.

    again: the command that continues the work; it is shown after an interrupt.
    """

    def __init__(self, again: str) -> None:
        self._again = again
        self._stack = ExitStack()
        self._stage = ""
        self._show: Watch | None = None
        self._latest: Progress | None = None

    def __enter__(self) -> Stages:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            click.echo(f"gatewalk: interrupted{self._stored()}; go on with: {self._again}", err=True)
            raise click.exceptions.Exit(130) from None

    def watch(self, stage: str, progress: Progress) -> None:
        """Show the progress of a campaign."""
        from gatewalk.campaign.progress import shown

        if stage != self._stage or self._show is None:
            self._stack.close()
            click.echo(f"{printable(stage)}: {progress.done} of {progress.planned} runs are stored", err=True)
            self._stage, self._show = stage, self._stack.enter_context(shown(sys.stderr))
        keep()
        self._latest = progress
        self._show(progress)

    def say(self, words: str) -> None:
        """Show the beginning of another step."""
        self._stack.close()
        self._show = None
        click.echo(printable(words), err=True)

    def _stored(self) -> str:
        seen = self._latest
        return f" during {self._stage}; {seen.done} of its {seen.planned} runs are stored" if seen else ""


def command_again(context: click.Context) -> str:
    """The command line that repeats this command."""
    names: list[str] = []
    part = context
    while part.parent is not None:
        names.insert(0, str(part.info_name))
        part = part.parent
    words = ["gatewalk", *names]
    for option in context.command.params:
        value = context.params[str(option.name)]
        if value == option.get_default(context) or not value:
            continue
        name = option.opts[0] if isinstance(option, click.Option) else ""
        values = value if isinstance(value, tuple) else (value,)
        words += [name] if value is True else [word for one in values for word in (name, str(one)) if word]
    return shlex.join(words)
