"""A child that echoes: what is typed comes back at once, and nothing else does."""

ECHO = ("/bin/sh", "-c", "stty raw -echo; printf ready; exec cat")
READY = "ready"


class Typed:
    """What was typed so far, to be found again at the end of the screen's text."""

    def __init__(self) -> None:
        self._text = READY

    def add(self, char: str) -> None:
        self._text += char

    def is_shown_by(self, screen: str) -> bool:
        return "".join(screen.split()).endswith(self._text[-20:])
