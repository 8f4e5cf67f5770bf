"""The pages for people, rendered on the server: settings, formation, reference, guide and zoning maps."""
