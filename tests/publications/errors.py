"""The error of a publication that could not be had as the tests need it."""


class PublicationError(Exception):
    """A source does not answer, or holds something else than what the tests were written from."""
