"""The API that every door offers: operations and prices, endpoints, parameters, errors, discovery."""
