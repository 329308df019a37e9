"""A published game that anybody can step through."""
