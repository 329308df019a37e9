"""Sentences about facts, in the reader's language: the one home of text that states something."""
