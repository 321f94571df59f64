"""The release of Gemini CLI that is simulated."""

VERSIONS = ("0.61.0",)
LATEST = VERSIONS[-1]
