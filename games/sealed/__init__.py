"""Duplicate sessions that are fixed beforehand for several clubs: prepared, sealed, and joined into one table."""
