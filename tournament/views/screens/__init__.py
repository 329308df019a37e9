"""The pages that stand on the glass of a hall: no login, told from the director's desk what they show."""
