"""What is packed for whoever has no checkout: the package, and a folder per system that starts by a double click."""
