"""The tables of the pages: which columns, how they sort, how a cell is written. The rows come from `queries.public`."""

from tournament.tables.base import BaseTable, Column, Figures, Links

__all__ = ["BaseTable", "Column", "Figures", "Links"]
