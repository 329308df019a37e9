"""The referee: challenges and incidents of a game, what follows from them, and the log of a whole tournament."""
