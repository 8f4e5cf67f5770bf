"""Most bytes and fields that a request may have."""

MAX_HEAD = 32_768
"""Bytes of the headers, and of the lines between two chunks of a body."""
MAX_URL = 163_840
"""Bytes of an address: 25 citations of 500 characters fit, each of four bytes that are percent-encoded."""
LONG_URL = 16_384
"""Bytes beyond which an address is long: few such are held at a time. Most bytes of a path."""
MAX_HEADERS = 100
"""Headers of a request, and fields of its trailer."""
SLICE = 16_384
"""Bytes of a chunked body that are parsed at a time."""
MAX_LEFTOVER = 65_536
"""Bytes of a body that are still read after its request was answered, to reach the next request."""
