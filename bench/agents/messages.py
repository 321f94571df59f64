"""Messages of every shape: the same mix for every sender."""

from collections.abc import Callable, Mapping, Sequence

_WORDS = "the quick brown fox reviews every module before it touches any of them and then writes a test".split()
EXITS = ("exit", "quit", ":q", ":wq")


def words(number: int, length: int) -> str:
    """So many characters, beginning with the number."""
    text = f"{number}: " + " ".join(_WORDS[at % len(_WORDS)] for at in range(number, number + length // 4 + 2))
    return text[: length - 1] + "." if length > len(f"{number}: ") else text[:length]


def _lines(number: int, count: int) -> str:
    return "\n".join(f"line {at} of {number}: {words(at, 30)}" for at in range(count))


SHAPES: Mapping[str, Callable[[int], str]] = {
    "1 character": lambda number: "abcdefghijklmnopqrstuvwxyz"[number % 26],
    "2–62 characters": lambda number: words(number, 2 + number * 7 % 61),
    "63 characters": lambda number: words(number, 63),
    "64–300 characters": lambda number: words(number, 64 + number * 37 % 236),
    "301–800 characters": lambda number: words(number, 301 + number * 53 % 499),
    "5,000 characters": lambda number: words(number, 5_000),
    "20,000 characters": lambda number: words(number, 20_000),
    "100,000 characters": lambda number: words(number, 100_000),
    "2–4 lines": lambda number: _lines(number, 2 + number % 3),
    "30 lines": lambda number: _lines(number, 30),
    "Chinese, Japanese": lambda number: f"{number} 请检查这个模块。テストを書いてください。",
    "emoji": lambda number: f"{number} family 👨‍👩‍👧 flag 🇩🇪 heart ❤️ 𝒳",
    "accents, decomposed": lambda number: f"{number} re\u0301sume\u0301 nai\u0308ve A\u030a",
    "tabs": lambda number: f"{number}\tfirst\tsecond",
    "begins with !": lambda number: f"!touch shell-{number}",
    "begins with /": lambda number: (
        ("/clear", "/status please", "/nosuch thing", "/compact now")[number // 25 % 4] + f" {number}"
    ),
    "begins with #": lambda number: f"# heading {number}",
    "begins with blanks": lambda number: f"   indented {number}",
    "ends in @name": lambda number: f"{number} look at @src",
    "ends in \\": lambda number: f"{number} ends with \\",
    "ends in blanks": lambda number: f"{number} ends with blanks  \n",
    "quotes and $": lambda number: f"{number} \"double\" 'single' $HOME `id` ${{x}}; #{{y}} & | > %",
    "exit": lambda number: EXITS[number // 25 % 4],
    "question mark": lambda number: f"? what is {number}",
    "a sentence": lambda number: f"Please look at file number {number} and tell me what it does.",
}
NAMES = tuple(SHAPES)


def message(number: int, shapes: Sequence[str] = NAMES) -> tuple[str, str]:
    """The shape of the message of this number, and the message."""
    name = shapes[number % len(shapes)]
    return name, SHAPES[name](number)
