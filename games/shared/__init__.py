"""What the pages of one game share: what was seen, what was typed, words about a result, the board."""
