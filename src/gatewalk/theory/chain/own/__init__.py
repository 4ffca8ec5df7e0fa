"""Mutations and selections that users write: their exact chains, without anything derived by hand.

- `pauses`: where a function can pause, because all that the rest of its run depends on has a name
- `outcomes`: all that a function may do between two pauses, by running it on every outcome of its draws
- `chain`: the chain of all programs that follows, and how it is solved
- `acceptance`: with which probability a selection accepts an offspring
"""
