"""What does OR beside AND, with a limit on the size, do to tree GP on conjunctions?"""
