"""The board of a table for the stream of a camera: shown as it is typed, while the director has switched it on."""
