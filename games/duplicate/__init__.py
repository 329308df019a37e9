"""Duplicate sessions: all play alone against the same draw, and each hands in a slip a turn."""
