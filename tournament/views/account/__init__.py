"""Everything under `/account/`, and the ways back in: pages about one's own account."""
