"""How do times grow with n, compared with the proven O(n D^4), and what does a superfluous Or gate cost?"""
