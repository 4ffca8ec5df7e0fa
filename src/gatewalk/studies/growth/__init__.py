"""How does the running time on conjunctions grow with n, beside the proven O(n D^4)?"""
