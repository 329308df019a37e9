"""The project: settings from the environment, addresses and the server's doors. No product code lives here."""
