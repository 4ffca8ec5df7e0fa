"""Cartesian GP: the genotype of the paper, its mutations, and kernels that walk through programs.

`cgp_search.py` is a search as a value, `loop.py` Algorithm 1, written once for every mutation (`mutations/`)
and every way to evaluate an offspring (`evaluators/`). Begin with `genotype.py`, then `loop.py`.
"""
