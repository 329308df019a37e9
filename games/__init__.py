"""What happens at a table: score entry, score sheets, reports."""
