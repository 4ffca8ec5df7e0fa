"""The circuit's picture as an SVG file."""

from __future__ import annotations

from gatewalk.circuit.drawing import svg as write

__all__ = ["SUFFIXES", "read", "write"]

SUFFIXES = (".svg",)

read = None
