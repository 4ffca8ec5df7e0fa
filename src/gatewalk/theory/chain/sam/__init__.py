"""The chain of CGP with SAM: classes of programs, their moves, and what one offspring of each is.

Read `node_states` first (what a node may hold), then `symmetries` (the proof that classes suffice),
`classes`, `moves`, `mixing` and `chain`. `sampled_sets` and `fractions` are further uses of the chain.
"""
