"""What is announced: how each round is paired, presets, the form of the knock-out."""
