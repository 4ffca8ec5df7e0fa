"""What does a superfluous Or gate cost, and how long does a target take that needs both gates?"""
