"""Commands of a release: the bill of materials, the audit of what is shipped."""
