"""How long do strict runs take from the programs of Theorem 4, and how often do they reach them?"""
