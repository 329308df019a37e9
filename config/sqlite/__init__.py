"""Django's SQLite, with a look at what lies beside the file before it is opened."""
