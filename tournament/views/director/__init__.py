"""The pages of those who direct a tournament."""
