"""A published game, stepped through by anybody."""
