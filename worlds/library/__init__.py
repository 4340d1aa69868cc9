"""What every library (of lorebooks, of presets) has: shelf, row, access, trash, uploads that wait, admin."""
