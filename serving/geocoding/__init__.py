"""Street addresses to points, by the geocoder that the operator names."""
