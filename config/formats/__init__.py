"""How dates and times are written, one package for each language that Django's own habits do not fit."""
