"""Lorebooks: the library of world books and what reads, matches and keeps them."""
