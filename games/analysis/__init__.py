"""Best plays of a position, by the list that the organiser uses."""
