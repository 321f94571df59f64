"""The sessions of this machine for other agents, by the Model Context Protocol."""
