"""One module per question; each measures one round of it and returns the figures."""
