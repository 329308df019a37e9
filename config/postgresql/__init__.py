"""The database of a hosted service."""
