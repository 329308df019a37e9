"""The play of the round: a position from a public game, for everybody to think about."""
