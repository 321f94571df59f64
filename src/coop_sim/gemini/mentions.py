"""Files that a prompt names with `@`: what is in them goes to the model, and stands behind the prompt in the log."""

import re
from pathlib import Path

from coop_sim.shapes import Table

_MENTION = re.compile(r"(?:^|(?<=\s))@(\S+)")


def parts_with_files(prompt: str, cwd: Path) -> list[Table]:
    """A name of no file is only a word."""
    named = [name for name in _MENTION.findall(prompt) if (cwd / name).is_file()]
    if not named:
        return [{"text": prompt}]
    contents = [text for name in named for text in (f"\nContent from @{name}:\n", (cwd / name).read_text().rstrip("\n"))]
    texts = (prompt, "\n--- Content from referenced files ---", *contents, "\n--- End of content ---")
    return [{"text": text} for text in texts]
