"""Pairing in plain Python: one matching core, many methods. The way in is `drafting`; the values are in `values`."""
