"""Pictures that are sent: what they really are, rewritten without hidden data, and kept in the data folder."""
