"""Backups: the whole installation in one file, made by itself, checked before it counts, and brought back safely."""
