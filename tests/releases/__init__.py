"""What makes a release: its zip, its try-out, the data that later versions must be able to read."""
