"""Security headers, which tell browsers how to treat an answer: set on every answer of every door."""

_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""Policy of every answer that is not a page: a browser that shows it loads nothing for it and runs nothing in
it."""
_STAY_SECONDS = 365 * 24 * 3600
_ALWAYS = (
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    # Other sites read answers by CORS where that is allowed, and embed none of them.
    ("Cross-Origin-Resource-Policy", "same-origin"),
)


def security_headers(public_url: str) -> tuple[tuple[str, str], ...]:
    """Return the security headers of every answer; a page replaces the policy by its own.

    Args:
        public_url: where clients reach the service. Under HTTPS, browsers are told to stay with it; other
            hosts of the same domain are not ours to speak for.
    """
    if not public_url.startswith("https://"):
        return _ALWAYS
    return (*_ALWAYS, ("Strict-Transport-Security", f"max-age={_STAY_SECONDS}"))
