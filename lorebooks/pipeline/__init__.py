"""A lorebook as files: reading uploads, the book file and the item file. No Django."""
