"""How long does tree GP take to conjunctions and to exclusive disjunctions, with and without negation?"""
