"""Parts of kernels are compiled only as far as needed.

Numba would optimise every function that a kernel calls, and make machine code of it, before it merges it
into its caller, where both is done again: three times for a part of a part. But the machine code of a
part is never run, and a kernel is optimised as a whole. So the code of a part stays as it is first
written down, which takes a quarter off the time to compile a kernel. And numba does not look in it for
what no part has.

This is built on what Numba does not promise to keep: `jit` uses it with the versions it was tried with.
"""

from __future__ import annotations

from typing import Any

from numba._dynfunc import make_function
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import InlineOverloads, NativeLowering, NopythonRewrites
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    WithLifting,
)

# What numba looks for in every function and what no part has: functions within functions, `with`,
# expressions of whole arrays, `literally`, and functions to be merged before they are typed.
_ABSENT = {
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    InlineOverloads,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    NopythonRewrites,
    WithLifting,
}


class PartCode(JITCodeLibrary):  # type: ignore[misc]
    """The code of a part and of all that it calls, neither optimised nor translated."""

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=True)
class _MakeKnown(LoweringPass):  # type: ignore[misc]
    """Tell numba of the function, by an entry for Python as kernels have it; but this one leads nowhere."""

    _name = "gatewalk_make_part_known"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        code, result = state.library, state.cr
        name = result.fndesc.qualname.split(".")[-1]
        entry = make_function(result.fndesc.lookup_module(), name, "a part", 0, result.env, (code,))
        state.cr = result._replace(cfunc=entry)
        state.targetctx.insert_user_function(entry, result.fndesc, [code])
        return True


class PartCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler up to the code of a part."""

    def define_pipelines(self) -> list[Any]:
        self.state.library = PartCode(self.state.targetctx.codegen(), "part")
        self.state.flags.no_compile = True
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_MakeKnown, NativeLowering)
        passes.passes = [one for one in passes.passes if one[0] not in _ABSENT]
        passes.finalize()
        return [passes]
