"""Files that a message names with `@`: Gemini puts what is in them behind it, in its log and in what it tells its hooks."""

_BEGIN = "\n--- Content from referenced files ---"


def without_files(heard: str) -> str:
    """What somebody said, as far as it goes before the first of them."""
    return heard.partition(_BEGIN)[0]
