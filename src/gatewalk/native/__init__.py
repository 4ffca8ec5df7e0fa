"""The machine: compiled kernels and their cache, the random stream, operations on bits and words."""
