"""What the pages of every library share; a library says its words, its tabs and the name of its addresses."""
