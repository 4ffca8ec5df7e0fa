"""How many nodes are best, from n - 1 to n^2?"""
