"""What is announced: which rounds are paired how, presets, the form of the knock-out."""
