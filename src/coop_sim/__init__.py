"""A pretend agent with scenarios. Shares no code with coop, so it cannot share its mistakes."""
