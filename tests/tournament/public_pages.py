"""Every public page of a tournament, for tests that walk over all of them."""

PAGES = (
    "",
    "announcement/",
    "entries/",
    "rounds/",
    "rounds/1/",
    "rounds/1/?by=name",
    "table/",
    "table/1/",
    "crosstable/",
    "crosstable/?by=opponent",
    "bracket/",
    "statistics/",
    "players/P01/",
)
"""Every page of a tournament with a round, below its address."""

FILES = ("table.csv", "table.xlsx", "table.json", "table.pdf", "final.json", "final.pdf")
