"""Tests. A package of its own, since a library installs one of this name, which would be found instead."""
