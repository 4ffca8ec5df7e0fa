"""The exact solver: a search is a Markov chain on programs, and the chain is built and solved.

`exact.py` is the door: it chooses the chain of a search. A chain says what one offspring of a parent is
(`solving.Offspring`), and is one of these:

- `sam`: CGP with SAM, on classes of genotypes; also as fractions, and on sampled training sets
- `point_rate`: CGP with point or rate mutation, on all programs
- `own`: CGP with a mutation that a user wrote, on all programs; and the selections that users write
- `trees`: tree GP on conjunctions, with a proven error
- `ranked`: the chain of `sam` where all inputs can be exchanged, in reach of six nodes

All but the last are solved in one way: `solving` (one generation, the linear systems level by level, and the
equations), with `offspring_sums` and `gmres`; `solved_chain` is what then is known, `distribution` its tails.
"""
