"""Players report their games: each from their own page, two that agree make the result."""
