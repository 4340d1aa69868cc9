"""How fast the main work is on this machine: `python -m benchmarks` (or `make bench`).

Everything measured is the program as it is served: its own settings, a fresh data folder, invented cards
and worlds. Nothing is cached between runs that a person would not have cached too.
"""
