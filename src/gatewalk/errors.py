"""Errors a user can mend: the command line shows them as one line and exits with 2."""

from __future__ import annotations


class InputError(ValueError):
    """Something the user gave is wrong; the message says what, where and what to do."""


class MissingExtra(InputError):
    """An optional dependency is needed for what was asked."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an extra: pip install 'gatewalk[{extra}]'")
        self.extra = extra
