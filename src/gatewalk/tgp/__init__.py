"""Tree GP: trees of two-input gates, HVL-prime and kernels that walk through trees.

`tgp_search.py` is a search as a value, `tree.py` a tree in arrays, `hvl.py` the mutation. Begin with
`hvl.py`, then `loop.py`.
"""
