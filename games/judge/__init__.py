"""The word judge: word lists loaded, kept and searched, and the question whether a play stands (TSO 3.1.4 c ii)."""
