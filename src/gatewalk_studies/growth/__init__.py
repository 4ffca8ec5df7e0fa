"""How does the running time on conjunctions grow with n, compared with the proven O(n D^4)?"""
