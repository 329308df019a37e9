"""Every change of a duplicate session: prepared and ended, turn by turn, slip by slip."""
