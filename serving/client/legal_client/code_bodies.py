"""Code bodies as people name them."""

from legal_client.client import Client
from legal_client.errors import NotFoundError
from legal_client.ids import is_id


def code_body_id(client: Client, named: str) -> str:
    """Return the id of a code body that is named by its id or by its key."""
    if is_id(named):
        return named
    bodies = client.code_bodies().code_bodies
    for body in bodies:
        if body.key == named:
            return body.id
    keys = ", ".join(body.key for body in bodies if body.key)
    raise NotFoundError(f"No code body has the key {named}; there are {keys}.", body={"kind": "code_body"})
