"""The REST front end: parameters, representations, errors and routes. The only place that knows falcon."""
