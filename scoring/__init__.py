"""The rules of Scrabble tournaments as plain values and functions, one module per chapter of the rule book. No Django,
no database, no clock, no input or output: only the standard library (and numpy in `lexicon`, `moves` and `simulation`).
Time and chance come in as arguments, points are `int`, and a result names the clause that it follows from."""
