"""Every play on a board: boards, racks and word lists as people give them, and what was found as they read it."""
