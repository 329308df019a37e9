"""What a correction, another pairing or an undo would change. Reads only."""
