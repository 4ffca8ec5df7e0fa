"""What does a superfluous Or gate cost, and a target that needs both gates?"""
