"""An event as a website in one zip: its public pages, which then need no server and no script."""
