"""The schematic of a circuit as an SVG file; it is only written."""

from __future__ import annotations

from gatewalk.circuit.drawing import svg as write

__all__ = ["BINARY", "SUFFIXES", "read", "write"]

SUFFIXES = (".svg",)
BINARY = False

read = None
