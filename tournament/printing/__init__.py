"""Paper: every document on A4 as PDF, from plain values (`values`), in the active language.

Nothing here reads text as markup: names are drawn letter by letter, never through reportlab's paragraphs, which would
fetch what an `<img>` in a name points to.
"""
