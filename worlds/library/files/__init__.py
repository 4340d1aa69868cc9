"""The files that every item of a library has, read and written one way. No Django: the pipelines use them."""
