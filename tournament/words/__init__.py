"""Facts as sentences in the reader's language: the only place for text that states something."""
