"""Pure readers and writers of cards, lorebooks, presets and text: bytes in, values out.

Nothing in here opens a file, speaks to a network, reads a clock, rolls dice or knows Django.
"""
