"""How does tree GP cope with terminals that a conjunction does not need: undesired and negated inputs?"""
