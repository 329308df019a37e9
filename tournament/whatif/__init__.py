"""What a correction or a withdrawn result would change. Reads only."""
