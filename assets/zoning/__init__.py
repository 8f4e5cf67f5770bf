"""Zoning layers: from a city's polygons to zones that name the provision which defines them."""
