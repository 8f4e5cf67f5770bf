"""The REST door: routes, resources, errors and middleware of the HTTP API."""
