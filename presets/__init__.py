"""The preset library: presets on disk, their report, draft, versions and test cases."""
