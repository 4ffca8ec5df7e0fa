"""The literal twin: the paper's algorithms in plain Python, to be read next to it. Slow on purpose.

Start with `cgp`: Algorithms 1 to 3, in the notation of the paper. `tgp` has the trees, `waiting` the search
whose waiting times are drawn, and `stream` the random numbers. Kernels equal it step by step: from the same
random stream they make the same picks, the same programs and the same counts, and tests hold every one of
them to that. `--evaluation reference` runs it.
"""
