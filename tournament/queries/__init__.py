"""Reads that more than one page shares; none depends on the size of the field in its number of queries."""
