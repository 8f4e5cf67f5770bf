"""The authorization server of OAuth 2.1 for connected agents: the protocol, without HTTP and pages."""
