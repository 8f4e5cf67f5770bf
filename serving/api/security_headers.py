"""Headers that say what a browser may do with an answer: of every answer, whichever door it leaves by."""

_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""Of what is no page: should a browser show it as one, nothing is loaded for it and nothing in it runs."""
_STAY_SECONDS = 365 * 24 * 3600
_ALWAYS = (
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    # Other sites read answers by CORS where that is allowed, and embed none of them.
    ("Cross-Origin-Resource-Policy", "same-origin"),
)


def security_headers(public_url: str) -> tuple[tuple[str, str], ...]:
    """Return the headers of every answer of a service; a page has a policy of its own in the place of theirs.

    Args:
        public_url: where clients reach the service. Under HTTPS, browsers are told to stay with it; other
            hosts of the same domain are not ours to speak for.
    """
    if not public_url.startswith("https://"):
        return _ALWAYS
    return (*_ALWAYS, ("Strict-Transport-Security", f"max-age={_STAY_SECONDS}"))
