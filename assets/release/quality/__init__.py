"""Quality of citations: the gates that a snapshot passes before it is published, and their figures."""
