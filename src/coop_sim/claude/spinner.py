"""The words and glyphs of a Claude at work."""

GLYPHS = "·✢*✶✻✽✻✶*✢"
VERBS = (
    "Baking Brewing Catapulting Clauding Cogitating Computing Finagling Forming Frosting Garnishing Misting Schlepping".split()
)
DONE = "Baked Brewed Churned Cogitated Cooked Crunched Sautéed Worked".split()
FRAME = 0.12


def spinner_row(verb: str, *, frame: int, seconds: int, tokens: int) -> str:
    """With the count once the model has begun to answer."""
    count = f" ({seconds}s · ↓ {tokens} tokens)" if tokens else ""
    return f"{GLYPHS[frame % len(GLYPHS)]} {verb}…{count}"


def retry_row(message: str, *, frame: int, wait: float, attempt: int, of: int) -> str:
    return f"{GLYPHS[frame % len(GLYPHS)]} {message} · Retrying in {max(round(wait), 1)}s · attempt {attempt}/{of}"
