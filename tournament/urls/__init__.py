"""Which address leads where, one list for each audience."""
