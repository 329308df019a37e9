"""A duplicate session as its rows have it: board, slips, table, and what of it can be taken back."""
