"""English as the program speaks it: British."""
