"""The machine: compiled kernels and their cache, the random stream, operations on bits and words.

It knows nothing of programs or circuits. Begin with `jit.py`, which says what a kernel is and how its parts
are chosen, then `stream.py`.
"""
