"""How often strict runs from uniform starts reach the programs of Theorem 4, and what follows for E[T]."""
