"""What do terminals that a conjunction does not need, undesired and negated inputs, do to tree GP?"""
