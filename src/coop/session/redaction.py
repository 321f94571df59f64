"""Makes secrets unreadable, character by character: whatever is masked keeps its length, and what surrounds it its place.

A stream is searched as a whole, however it was cut. On a terminal a secret may be drawn in pieces, in colour, or over two rows:
so it is searched as written, without its colours, and as it stood on the screen; and whatever was found anywhere is looked for
without any sequence or blank, and in rows behind gutters.
"""

import json
import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from coop.errors import ConfigError

KINDS: Mapping[str, str] = {
    "private_key": r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----"
    r"(?P<secret>.{1,20000}?(?=-----END)|(?:\s*+[A-Z][A-Za-z-]*+: [^\r\n\\]{0,200}+)*+[A-Za-z0-9+/=\s\\]+)",
    "anthropic_key": r"sk-ant-(?P<secret>[A-Za-z0-9_-]{12,})",
    "openai_key": r"sk-(?!ant-)(?:proj-|svcacct-|admin-)?(?P<secret>[A-Za-z0-9_-]{16,})",
    "google_key": r"AIza(?P<secret>[0-9A-Za-z_-]{30,})",
    "google_token": r"ya29\.(?P<secret>[0-9A-Za-z_-]{20,})",
    "aws_key_id": r"(?:AKIA|ASIA)(?P<secret>[0-9A-Z]{16})",
    "aws_secret": r"(?i:secret_?access_?key|session_?token)[\"'\s\\]*[=:][\"'\s\\]*(?P<secret>[A-Za-z0-9/+=]{40,})",
    "github_token": r"(?:gh[pousr]_|github_pat_)(?P<secret>[A-Za-z0-9_]{20,})",
    "gitlab_token": r"glpat-(?P<secret>[A-Za-z0-9_-]{16,})",
    "slack_token": r"(?:xox[a-z]|xapp)-(?P<secret>[A-Za-z0-9-]{10,})",
    "npm_token": r"npm_(?P<secret>[A-Za-z0-9]{30,})",
    "jwt": r"eyJ(?P<secret>[A-Za-z0-9_-]{8,4000}+\.[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{4,})",
    "bearer": r"(?i:bearer|authorization[\"'\s\\]*[=:][\"'\s\\]*basic)\s+(?P<secret>[A-Za-z0-9._~+/=-]{12,})",
    "url_password": r":\\?/\\?/[^\s/:@\"'\[]{0,64}:"
    r"(?P<secret>[^\s/\"']+(?=@)|(?!/|\\|\d{1,5}[/?#\\])(?:[^\s:\"'\\]|:(?!\\?/\\?/)|\\/)+(?=@))",
    "coop_token": r"COOP_[A-Z_]{0,40}TOKEN[\"'\s\\]*[=:][\"'\s\\]*(?P<secret>[A-Za-z0-9_-]{12,})",
}
"""What is always looked for; only the group `secret` is masked.

A password ends at the last @ of the host's part. One with a slash in it, which belongs there in no URL, ends at the last @ before
a blank or a quote; what only looks like one is a port, and the @ stands in the path.
Megabytes are searched: none may begin with a repetition that has no bound, which would be tried anew at every character.
"""
_SHORTEST = 8
"""What is shorter is not looked for where it was not found."""
_HEAD, _GUTTER, _ROW = 4, 40, 2000
"""By so much of it the first row of a secret is known, so much may stand before the next one, and so long may each be."""
_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*(?P<final>[@-~])|[\]PX^_](?P<string>[^\x07\x1b]*)(?:\x07|\x1b\\)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]"
)
_KEPT = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]"
    r"|(?P<escape>\\{1,7}u)[0-9a-fA-F]{4}|\\{2,7}[nrtbf]|\\.|[\x00-\x20\x7f-\x9f\"'\\/{}\[\]:,]",
    re.DOTALL,
)
"""Left as it is, so that JSON stays JSON, also within JSON, lines lines and sequences sequences.

Of an escaped character only its code is masked.
"""
_FRAME, _PADDING = "│┃|", 2
_BLANK = re.compile(rf"(?:[\s{_FRAME}]++|\\{{1,7}}[nrt])+")
"""Also as JSON spells it, and JSON in JSON: a secret of several lines is the same in a record as on the screen."""
_BEFORE_ROW = re.compile(rf"|[\W\d_]*[\s{_FRAME}>+#]|.*[{_FRAME}>:\]]\s*")
"""What a row may begin with before what it says: nothing with a letter in it, or that ends like a gutter."""
_NUMBER = "1"
_FILLERS = {(1, 1): "x", (2, 1): "×", (3, 1): "█", (3, 2): "＊", (4, 1): "𐌢", (4, 2): "🀄"}
"""By length in bytes, and width in cells."""
_READABLE = re.compile(
    rf"(?:(?![{re.escape(_NUMBER + ''.join(_FILLERS.values()))}])[^\x00-\x20\x7f-\x9f\"'\\/{{}}\[\]:,│┃|]){{4,}}"
)
"""So much of a secret that was not masked tells something of it."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """What is to be made unreadable, by kind."""

    patterns: Mapping[str, re.Pattern[str]]
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    """Those that are known before anything is read, as `Redactor.values` has them."""

    @classmethod
    def of(
        cls, patterns: Sequence[str] = (), values: Mapping[str, str] | None = None, words: Mapping[str, str] | None = None
    ) -> "Secrets":
        """The known kinds, patterns of one's own, values by what they are called, and whole words. Raises `ConfigError`."""
        own = {"pattern": _compiled("|".join(f"(?:{_checked(each)})" for each in patterns))} if patterns else {}
        given = {kind: re.compile(_literally(value)) for kind, value in (values or {}).items() if value}
        given |= {kind: re.compile(rf"(?<!\w){re.escape(word)}(?!\w)") for kind, word in (words or {}).items() if word}
        spelled = {_drawn(each): kind for kind, value in (values or {}).items() for each in _spellings(value)}
        known = {value: kind for value, kind in spelled.items() if _is_telling(value)}
        return cls({**given, **own, **{kind: re.compile(pattern, re.DOTALL) for kind, pattern in KINDS.items()}}, known)

    def found(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Kind, start and end of each."""
        for kind, pattern in self.patterns.items():
            for match in pattern.finditer(text):
                start, end = match.span("secret") if "secret" in pattern.groupindex else match.span()
                if end > start:
                    yield kind, start, end


def _checked(pattern: str) -> str:
    return _compiled(pattern).pattern


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.DOTALL)
    except re.error as error:
        raise ConfigError(f"--redact {pattern!r} is not a regular expression: {error}") from None


def _literally(value: str) -> str:
    return "|".join(re.escape(each) for each in sorted(_spellings(value), key=len, reverse=True))


def _spellings(value: str) -> set[str]:
    """Itself; as JSON spells it, which may be in several ways; and as JSON that is a string in JSON does."""
    once = _quoted(value)
    return {value, *once, *(twice for each in once for twice in _quoted(each))}


def _quoted(text: str) -> set[str]:
    quoted = {json.dumps(text, ensure_ascii=is_ascii)[1:-1] for is_ascii in (True, False)}
    return quoted | {each.replace("/", r"\/") for each in quoted}


def _drawn(secret: str) -> str:
    return _BLANK.sub("", secret)


def _is_telling(value: str) -> bool:
    """Is it long enough to be looked for? What is masked already is no secret."""
    return len(value) >= _SHORTEST and _READABLE.search(value) is not None


@dataclass(slots=True)
class Redactor:
    """First everything is shown to it (`learn`), then everything is masked: what is a secret in one place is one in all."""

    secrets: Secrets
    removed: Counter[str] = field(default_factory=Counter[str])
    values: dict[str, str] = field(default_factory=dict[str, str])
    """Secrets that were given or found, without blanks, and their kinds."""

    def __post_init__(self) -> None:
        self.values = {**self.secrets.values, **self.values}

    def learn(self, chunks: Sequence[bytes]) -> None:
        for view in _views(_text(chunks)):
            self._keep(view.text)

    def learn_screen(self, rows: Sequence[str], cols: int) -> None:
        """What can be read on it, in whatever order it was drawn."""
        self._keep(_joined(rows, cols))

    def _keep(self, text: str) -> None:
        for kind, start, end in self.secrets.found(text):
            value = _drawn(text[start:end])
            if _is_telling(value):
                self.values.setdefault(value, kind)

    def mask(self, chunks: Sequence[bytes]) -> list[bytes]:
        """The chunks of one stream, each as long as it was."""
        text = _text(chunks)
        return list(_cut(_bytes(_masked(text, self._spans(text))), chunks))

    def mask_text(self, text: str) -> str:
        return self.mask([text.encode("utf-8", "surrogatepass")])[0].decode("utf-8", "surrogatepass")

    def mask_rows(self, rows: Sequence[str]) -> list[str]:
        """A screen, of which a secret may take several rows."""
        return self.mask_text("\n".join(rows)).split("\n")

    def drawn(self, rows: Sequence[str], cols: int) -> set[str]:
        """The kinds of secrets that can be read on this screen, as a whole or in part."""
        text, joined = _drawn("".join(rows)), _joined(rows, cols)
        ends = ((value, kind) for value, kind in self.values.items() if value[-_SHORTEST:] in text)
        known = {kind for value, kind in ends if value in text or any(_is_rest(row, value) for row in rows)}
        return known | {kind for kind, start, end in self.secrets.found(joined) if _READABLE.search(joined[start:end])}

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Where anything secret is. What was found in part before is counted once."""
        taken, spans = bytearray(len(text)), list[tuple[int, int]]()
        for view in (*_views(text), _bare(text)):
            for kind, found in self._found(view):
                pieces = [piece for start, end in found for piece in view.pieces(start, end)]
                if not any(any(taken[first:last]) for first, last in pieces):
                    self.removed[kind] += 1
                for first, last in pieces:
                    taken[first:last] = b"\x01" * (last - first)
                spans += pieces
        return spans

    def _found(self, view: "_View") -> Iterator[tuple[str, list[tuple[int, int]]]]:
        """Kind, and the start and end of each of its rows."""
        if not view.is_bare:
            yield from ((kind, [(start, end)]) for kind, start, end in self.secrets.found(view.text))
            return
        whole = dict[int, str]()
        for value, kind in self.values.items():
            for start in _places(value, view.text):
                whole[start] = max(value, whole.get(start, ""), key=len)
                yield kind, [(start, start + len(value))]
        for value, kind in self.values.items():
            yield from ((kind, rows) for rows in _wrapped(value, view, whole))


def _places(value: str, text: str) -> Iterator[int]:
    at = text.find(value)
    while at >= 0:
        yield at
        at = text.find(value, at + len(value))


def _wrapped(value: str, view: "_View", whole: Mapping[int, str]) -> Iterator[list[tuple[int, int]]]:
    """Where it stands in several rows, each but the first behind a gutter. Its last one may be missing.

    Where another secret stands whole it does not begin: many are alike at first, and each would be compared with all the others. But
    its first row may have been taken for a secret of its own.
    """
    head = value[:_HEAD]
    at = view.text.find(head)
    while at >= 0:
        rows, after = _rows(value, view, at) if value.startswith(whole.get(at, "")) else ([], at + len(head))
        if len(rows) > 1:
            yield rows
        at = view.text.find(head, after)


def _rows(value: str, view: "_View", at: int) -> tuple[list[tuple[int, int]], int]:
    """As much of it as stands from here on, and where to look further.

    A row ends where a word does: a path that only begins like this one is none. Of less than a head nobody could say whether it is
    the rest.
    """
    rows, known, after = list[tuple[int, int]](), 0, at
    while at >= 0:
        row = value[known : known + _ROW]
        after = at + _shared(row, view.text[at : at + len(row)])
        is_end = after - at == len(row) or not view.text[after : after + 1].isalnum()
        end = after if is_end else view.gap_before(after)
        if end <= at:
            break
        rows.append((at, end))
        known += end - at
        rest = value[known : known + _SHORTEST]
        at = view.text.find(rest, end, end + _GUTTER + len(rest)) if len(rest) >= _HEAD else -1
    return rows, after


def _is_rest(row: str, value: str) -> bool:
    """Does it say the end of this value, and nothing before that but a gutter?"""
    end = row.find(value[-_SHORTEST:]) + _SHORTEST
    start = end - _shared(value[-len(row) :][::-1], row[:end][::-1])
    return end >= _SHORTEST and bool(_READABLE.search(row[start:end]) and _BEFORE_ROW.fullmatch(row[:start]))


def _shared(one: str, other: str) -> int:
    """How many characters both begin with."""
    return next((at for at, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its), min(len(one), len(other)))


@dataclass(frozen=True, slots=True)
class _View:
    """A text with parts left out, and where the rest of it was."""

    text: str
    starts: Sequence[int]
    """Of each run of characters, where it begins here…"""
    origins: Sequence[int]
    """…and where in the whole text."""
    is_bare: bool = False

    def gap_before(self, at: int) -> int:
        """Where something was left out last, up to this character."""
        return self.starts[bisect_right(self.starts, at) - 1]

    def pieces(self, start: int, end: int) -> list[tuple[int, int]]:
        """Where these characters are in the whole text."""
        found: list[tuple[int, int]] = []
        run = bisect_right(self.starts, start) - 1
        while start < end:
            upto = min(end, self.starts[run + 1] if run + 1 < len(self.starts) else len(self.text))
            origin = self.origins[run] + start - self.starts[run]
            found.append((origin, origin + upto - start))
            start, run = upto, run + 1
        return found


def _joined(rows: Sequence[str], cols: int) -> str:
    """A row that is full, to the edge or to a frame, goes on in the next one."""
    parts = (row.strip(f" {_FRAME}") + ("" if _is_full(row.rstrip(), cols) else "\n") for row in rows)
    return "".join(parts)


def _is_full(row: str, cols: int) -> bool:
    if row.endswith(tuple(_FRAME)):
        within = row[:-1]
        return len(within) - len(within.rstrip()) <= _PADDING and bool(within.strip())
    return _width(row) >= cols


def _width(text: str) -> int:
    return len(text) if text.isascii() else sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


def _views(text: str) -> tuple[_View, ...]:
    """As it is; and without what only colours it."""
    whole = _View(text, (0,), (0,))
    if "\x1b" not in text and "\x9b" not in text:
        return (whole,)
    return whole, _without(text, (match.span() for match in _SEQUENCE.finditer(text) if match["final"] == "m"))


def _bare(text: str) -> _View:
    """Without sequences and blanks: nothing but what was drawn, in the order in which it was."""
    gaps = re.compile(f"(?:{_SEQUENCE.pattern}|{_BLANK.pattern})+")
    return _without(text, (match.span() for match in gaps.finditer(text)), is_bare=True)


def _without(text: str, gaps: Iterable[tuple[int, int]], *, is_bare: bool = False) -> _View:
    parts, starts, origins, length, after = list[str](), list[int](), list[int](), 0, 0
    for start, end in (*gaps, (len(text), len(text))):
        if start > after:
            parts.append(text[after:start])
            starts.append(length)
            origins.append(after)
            length += start - after
        after = end
    return _View("".join(parts), starts, origins, is_bare)


def _text(chunks: Sequence[bytes]) -> str:
    return b"".join(chunks).decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _cut(data: bytes, chunks: Sequence[bytes]) -> Iterator[bytes]:
    at = 0
    for chunk in chunks:
        yield data[at : at + len(chunk)]
        at += len(chunk)


def _masked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts, after = list[str](), 0
    for start, end in sorted(spans):
        if end > after:
            parts += (text[after : max(start, after)], _filler(text[max(start, after) : end]))
            after = end
    return "".join((*parts, text[after:]))


def _filler(secret: str) -> str:
    if secret.isascii() and secret.isdigit():
        return _NUMBER * len(secret)  # it may be a number of a record, and stays one
    parts, after = list[str](), 0
    for kept in _KEPT.finditer(secret):
        parts += (_mask(secret[after : kept.start()]), f"{kept['escape']}0078" if kept["escape"] else kept[0])
        after = kept.end()
    return "".join((*parts, _mask(secret[after:])))


def _mask(text: str) -> str:
    return "".join(map(_mask_one, text))


def _mask_one(character: str) -> str:
    if "\udc80" <= character <= "\udcff" or unicodedata.combining(character):
        return character  # half of something, or what only marks the character before it
    length = len(character.encode("utf-8", "surrogatepass"))
    width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return _FILLERS.get((length, width)) or _FILLERS[length, 1]
