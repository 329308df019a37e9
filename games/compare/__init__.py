"""Two score sheets of one game side by side, and the one that is agreed."""
