"""How long does tree GP take to find conjunctions if the function set also has a negation?"""
