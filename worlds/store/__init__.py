"""The file store: the only room that writes the data folder.

Files are the truth of worlds, import records and trash. Every write is atomic and durable (WORLD-1), every
change of an item is one commit under that item's lock, and nothing is erased without its former bytes being
kept. Knows nothing of Django and nothing of what the documents mean.
"""
