"""Regex keys of lorebooks, matched by JavaScript rules in a child process that may be killed.

`worker.PatternWorker` is what the program calls; `process` holds one child; `child` is what runs in it, with
`units` and `translate`, which give the engine JavaScript's idea of a character. Nothing here knows Django.
"""
