"""How much of an upload is read. Source: reliability part 4, decisions D42 and D45."""

FILE_BYTES = 104_857_600
"""The whole upload."""

CARD_BYTES = 32 * 1024 * 1024
"""Decoded card JSON."""

STORED_CARD_BYTES = CARD_BYTES * 3 // 2
"""Card text as it stands in a chunk: base64 makes it a third longer, line breaks a little more."""

DECODED_BYTES = 4 * CARD_BYTES
"""All copies of the card in one file together, so that a thousand packed copies do not take minutes."""

CANDIDATES = 16
"""Copies of the card of one keyword that are tried."""

TEXT_CHUNKS = 4_096
DEPTH = 200
"""Levels of JSON."""

ARCHIVE_MEMBERS = 2_000
ARCHIVE_DIRECTORY_BYTES = 1024 * 1024
"""The list of members, whose length the archive may lie about: read only when it is short."""
ARCHIVE_BYTES = 300_000_000
"""Sum of what the members of an archive claim to unpack to, and of what is unpacked."""

RATIO = 100
RATIO_FROM_BYTES = 1024 * 1024
"""A member above this size may be at most `RATIO` times its packed size."""

ASSET_BYTES = 20_000_000
ALL_ASSETS_BYTES = 100_000_000
MOST_ASSETS = 2_000
"""Files that travel with a card: each, all together, and how many."""

INTEGER_BITS = 64
