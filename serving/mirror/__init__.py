"""Mirrors: the snapshot in service as static files under the metadata of TUF, and the servers that pull it.

Needs the extra `mirror`.
"""
