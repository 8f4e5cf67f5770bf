"""The HTTP protocol of a connection. All that leans on private parts of uvicorn lies here."""
