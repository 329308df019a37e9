"""Typing results in: the grid of a round, and the page of one table with time, penalties, awards and corrections."""
