"""Incomplete training sets: does the level ever drop?"""
