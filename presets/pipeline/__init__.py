"""What the preset library does without Django: its files, edits, comparisons, trials."""
