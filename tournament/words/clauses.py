"""Clauses of the rules behind what is said; nothing where the rules in force have none for it."""


def bracketed(clause: str) -> str:
    """The clause as it stands behind a word: a blank, then brackets."""
    return f" ({clause})" if clause else ""


def with_clause(text: object, clause: str) -> str:
    """A text with the clause behind it."""
    return f"{text}{bracketed(clause)}"


def before_stop(sentence: object, clause: str) -> str:
    """A sentence with the clause before its full stop."""
    return f"{str(sentence).removesuffix('.')}{bracketed(clause)}."
