"""Commands for the terminal about what happens at a table."""
