"""The rules of Scrabble tournaments as plain values and functions, one module per chapter of the rule book.

Only the standard library is imported here: no Django, no database, no clock, no input or output. Time and chance come
in as arguments, points are `int`, and every result says by which clause it came about.
"""
