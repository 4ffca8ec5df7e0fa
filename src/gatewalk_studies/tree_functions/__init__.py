"""How does tree GP find conjunctions with AND and OR and a limit on the size?"""
