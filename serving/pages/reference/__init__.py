"""`/docs`: the reference of the API, read off the OpenAPI document and the snapshot in service."""
