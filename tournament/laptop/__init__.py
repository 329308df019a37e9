"""The program on a laptop: first start, addresses, QR codes, the server."""
