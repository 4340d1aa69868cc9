"""Regex keys of lorebooks, matched by JavaScript rules in a child process that may be killed."""
