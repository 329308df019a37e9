"""GCG, the file format of annotated games: read, checked against the board, written, and shown as a score sheet."""
