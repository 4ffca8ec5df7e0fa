"""How many evaluations does the (1+4) CGP take on the usual benchmarks, by nodes and mutation?"""
