"""What the terminal can do with what happens at a table."""
