"""How far are the estimates of the proofs from what happens at each level?"""
