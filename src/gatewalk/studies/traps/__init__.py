"""How often strict runs from uniform starts come to the programs of Theorem 4, and what this says of E[T]."""
