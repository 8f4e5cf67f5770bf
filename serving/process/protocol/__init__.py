"""The HTTP protocol of a connection. All code that relies on private parts of uvicorn lies here."""
