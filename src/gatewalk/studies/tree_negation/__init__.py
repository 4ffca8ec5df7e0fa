"""How long does tree GP take to conjunctions when a function that negates stands beside AND?"""
