"""Photos of the paper sheets: checked and rewritten, kept in the data folder, shown to the directors alone."""
