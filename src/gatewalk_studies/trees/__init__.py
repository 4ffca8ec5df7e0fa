"""How long does tree GP take to find conjunctions and exclusive disjunctions, with and without negation?"""
