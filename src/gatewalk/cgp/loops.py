"""Loops that the compiler is to leave as they are.

A short loop of a random length costs one wrong guess of the processor, at its end. Unrolled, it
becomes two such loops, and costs two.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic


@intrinsic  # type: ignore[untyped-decorator]
def rolled(typing_context: Any) -> Any:
    """Called in the body of a loop, it keeps it from being unrolled; it does nothing else."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        nothing = ir.FunctionType(ir.VoidType(), [])
        builder.call(ir.InlineAsm(nothing, "", "", side_effect=True), [], attrs=("convergent", "nounwind"))
        return context.get_dummy_value()

    return types.void(), generate
