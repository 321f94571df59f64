import json
from itertools import pairwise

import pytest

from coop.errors import ConfigError
from coop.session.redaction import KINDS, Redactor, Secrets

KEY = "sk-ant-api03-AbCdEfGhIjKlMnOpQrSt"
GIVEN = "Zq8wXk2mPf7vLd9sRt4uHb6nYc3j"
SAMPLES = {
    "private_key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----",
    "anthropic_key": KEY,
    "openai_key": "sk-proj-abcdefghij0123456789",
    "google_key": "AIzaSyA1234567890abcdefghijklmnopqrstuv",
    "google_token": "ya29.a0AfH6SMBx1234567890abcdef",
    "aws_key_id": "AKIAABCDEFGHIJKLMNOP",
    "aws_secret": "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIaK7MDENGabPxRfiCYEXAMPLEKEY",
    "github_token": "ghp_0123456789abcdefghij0123456789abcdef",
    "gitlab_token": "glpat-abcdefghij0123456789",
    "slack_token": "xoxb-1234567890-abcdef",
    "npm_token": "npm_abcdefghijklmnopqrstuvwxyz0123456789",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "bearer": "Authorization: Bearer abcdef.0123456789",
    "url_password": "postgres://me:hunter22@db/x",
    "coop_token": "COOP_HOOK_TOKEN=abcdefghijklmnop",
}


MORE = [
    ("private_key", "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: X v1\n\nlQOYBF7abc", "lQOYBF7abc"),
    ("private_key", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBF7abc\n-----END PGP PRIVATE KEY BLOCK-----", "lQOYBF7abc"),
    ("aws_secret", '"SecretAccessKey": "wJalrXUtnFEMIaK7MDENGabPxRfiCYEXAMPLEKEY"', "wJalrXUtn"),
    ("aws_secret", f'"SessionToken": "{"IQoJb3JpZ2luX2VjEJ/" * 4}=="', "IQoJb3JpZ2luX2Vj"),
    ("aws_secret", f"aws_session_token = {'IQoJb3JpZ2luX2VjEJ/' * 4}", "IQoJb3JpZ2luX2Vj"),
    ("slack_token", "xapp-1-A0123456789-1234567890-abcdef", "A0123456789"),
    ("slack_token", "xoxe-1-abcdefghij", "abcdefghij"),
    ("url_password", "redis://:hunter2pw@cache:6379/0", "hunter2pw"),
    ("url_password", "amqp://:pw@queue", "pw"),
    ("url_password", "postgres://me:hunt/er2p/w@db:5432/x", "er2p/w"),
    ("url_password", "postgres://me:hunt@er2pw@db/x", "er2pw"),
    ("url_password", '{"url":"postgres:\\/\\/me:hunt\\/er2pw@db\\/x"}', "er2pw"),
    ("url_password", "one://a:hunt/er2pw@b,http://c/d@e", "er2pw"),
    ("bearer", '{"Authorization":"Basic dXNlcjpwYXNzd29yZA=="}', "dXNlcjpw"),
    ("bearer", r"{\"authorization\": \"Basic dXNlcjpwYXNzd29yZA==\"}", "dXNlcjpw"),
]


def masked(text: str, secrets: Secrets | None = None) -> tuple[str, Redactor]:
    redactor = Redactor(secrets or Secrets.of())
    redactor.learn([text.encode()])
    return redactor.mask_text(text), redactor


@pytest.mark.parametrize("kind", KINDS)
def test_every_known_kind_is_masked_and_counted(kind: str) -> None:
    text = f"before {SAMPLES[kind]} after"
    found, redactor = masked(text)
    assert found != text
    assert (len(found.encode()), found[:7], found[-6:]) == (len(text.encode()), "before ", " after")
    assert redactor.removed == {kind: 1}


@pytest.mark.parametrize(("kind", "text", "secret"), MORE)
def test_every_spelling_of_a_kind_is_masked(kind: str, text: str, secret: str) -> None:
    found, redactor = masked(text)
    assert secret not in found
    assert redactor.removed == {kind: 1}


@pytest.mark.parametrize(
    "part",
    [
        "0123456789abcdef",
        "COOP_",
        "-----BEGIN ",
        "a.b+c-",
        "bearer ",
        "://a:b",
        "sk-",
        "https://a:b",
        "://",
        "://:",
        "://a:b/",
        "://a:@/",
        "authorization",
    ],
)
def test_megabytes_of_the_same_are_searched_in_their_length(part: str) -> None:
    """Were it tried anew at every character, this would take hours."""
    text = part * (3_000_000 // len(part))
    assert not [kind for kind, *_ in Secrets.of().found(text) if kind == "url_password"]


def test_ordinary_words_are_left_alone() -> None:
    text = "sk-learn is fine, so is AKIA, https://host:8080/path, eyJ, Bearer of news, and commit 0123456789abcdef"
    assert masked(text) == (text, Redactor(Secrets.of()))


@pytest.mark.parametrize(
    "text",
    [
        "http://localhost:5173/@vite/client",
        "http://registry:4873/@scope%2fname",
        "http://[::1]:8080/@id",
        "https://host:8080/path, me@home",
        r"https:\/\/host:8080\/@id",
        "file://C:/Users/me@home",
        "Authorization: Basics",
    ],
)
def test_what_only_looks_like_a_password_is_left_alone(text: str) -> None:
    assert masked(text) == (text, Redactor(Secrets.of()))


def test_of_a_password_nothing_around_it_is_masked() -> None:
    found, _ = masked("redis://:hunter2pw@cache:6379/0 postgres://me:hunt/er2pw@db/x,http://c/d@e a@b")
    assert found == "redis://:xxxxxxxxx@cache:6379/0 postgres://me:xxxx/xxxxx@db/x,http://c/d@e a@b"


def test_one_url_without_an_end_is_searched_in_its_length() -> None:
    for part in ("b", "/", "@", "b/@", "\\"):
        list(Secrets.of().found("://a:" + part * 300_000))


def test_colours_are_no_hiding_place_and_stay() -> None:
    found, _ = masked(f"\x1b[31m{KEY[:12]}\x1b[1;32m{KEY[12:]}\x1b[0m!")
    assert found == f"\x1b[31msk-ant-{'x' * 5}\x1b[1;32m{'x' * 21}\x1b[0m!"


def test_what_was_found_once_is_found_over_two_rows_too() -> None:
    found, redactor = masked(f"key={KEY}\x1b[2J│ {KEY[:20]} │\x1b[3;1H│ {KEY[20:]} │")
    assert KEY[7:15] not in found
    assert KEY[20:] not in found
    assert found.count("│") == 4
    assert redactor.removed == {"anthropic_key": 2}


GUTTERS = [
    "\r\n> ",
    "\r\n  12 │ ",
    "\nweb-1  | ",
    "\x1b[3;1H\x1b[2m+\x1b[0m ",
    r"\n// ",
    "\n2026-11-18T22:40:05.123Z  INFO  ",
    '" +\n    "',
]


@pytest.mark.parametrize("gutter", GUTTERS)
@pytest.mark.parametrize("cuts", [(24,), (7, 11, 20), (12, 20, 28)])
def test_what_was_found_once_is_found_in_rows_behind_gutters(gutter: str, cuts: tuple[int, ...]) -> None:
    rows = [KEY[start:end] for start, end in pairwise((0, *cuts, len(KEY)))]
    found, redactor = masked(f"{KEY}{gutter}{gutter.join(rows)}{gutter}")
    assert found == f"sk-ant-{'x' * 26}{gutter}" + "".join(
        "".join(character if at < 7 else "x" for at, character in enumerate(KEY[start:end], start)) + gutter
        for start, end in pairwise((0, *cuts, len(KEY)))
    )
    assert redactor.removed == {"anthropic_key": 2}


def test_a_value_of_ones_own_is_found_in_rows_behind_gutters() -> None:
    found, redactor = masked(f"> {GIVEN[:6]}\n> {GIVEN[6:22]}\n> {GIVEN[22:]}", Secrets.of((), {"$MYSEC": GIVEN}))
    assert found == f"> {'x' * 6}\n> {'x' * 16}\n> {'x' * 6}"
    assert redactor.removed == {"$MYSEC": 1}


def test_what_only_begins_like_a_secret_is_left_alone() -> None:
    text = f"api03-AbCdZZ api03 {'api03-AbC' * 3} and then {KEY[24:]} {'.' * 50} api03-AbCdEf{'.' * 50}{KEY[19:]}"
    _, redactor = masked(KEY)
    assert redactor.mask_text(text) == text


def test_a_secret_of_many_rows_is_found_behind_gutters() -> None:
    lines = [f"{n:060}" for n in range(300)]
    key = "lQOYBF7" + "".join(lines)
    found, _ = masked("\n> ".join(("lQOYBF7", *lines)), Secrets.of((), {"$KEY": key}))
    assert set(found) == set("x1\n> ")


def test_a_path_beside_ones_home_is_left_alone() -> None:
    found, redactor = masked("/home/bob /home/alice /home/bob", Secrets.of((), {"home": "/home/alice"}))
    assert found == "/home/bob /xxxx/xxxxx /home/bob"
    assert redactor.removed == {"home": 1}


@pytest.mark.parametrize("part", ["Zq8w", GIVEN[:20], f"{GIVEN[:20]}\n> {GIVEN[20:26]}\n", "Zq8w\n"])
def test_megabytes_of_a_secrets_beginning_are_searched_in_their_length(part: str) -> None:
    """Were each compared with all of it, this would take hours."""
    redactor = Redactor(Secrets.of((), {"$MYSEC": GIVEN, "$LONG": "Zq8w" * 100_000}))
    redactor.mask_text(part * (300_000 // len(part)))


def test_a_record_stays_a_record() -> None:
    record = {"text": f'a "quoted" {KEY}\nnext', "key": SAMPLES["private_key"], "count": 12345678}
    text = json.dumps(record)
    found, redactor = masked(text, Secrets.of([r"12345678"]))
    assert json.loads(found)["count"] == 11111111
    assert json.loads(found)["text"].startswith('a "quoted" sk-ant-xxx')
    assert "MIIEow" not in found
    assert set(redactor.removed) == {"anthropic_key", "private_key", "pattern"}


def test_wide_and_long_characters_keep_their_length_and_width() -> None:
    found, _ = masked("密码é🔑!", Secrets.of(["密码é🔑"]))
    assert found == "＊＊×🀄!"


def test_values_and_words_of_ones_own() -> None:
    secrets = Secrets.of((), {"$DB": 'p"w\\d'}, {"user": "al"})
    found, redactor = masked('al also said p"w\\d and "p\\"w\\\\d"', secrets)
    assert found.startswith("xx also said ")
    assert redactor.removed == {"$DB": 2, "user": 1}


MANY = 'first-line-of-secret-1234\nsecond/line-ä-🔑-"5678"'


@pytest.mark.parametrize("is_ascii", [True, False])
@pytest.mark.parametrize("is_slash_escaped", [True, False])
@pytest.mark.parametrize("depth", [1, 2])
def test_a_value_is_masked_in_every_spelling_of_json(is_ascii: bool, is_slash_escaped: bool, depth: int) -> None:
    text = f"echo '{MANY}'"
    for _ in range(depth):
        text = json.dumps({"command": text}, ensure_ascii=is_ascii)
        text = text.replace("/", r"\/") if is_slash_escaped else text
    found, redactor = masked(text, Secrets.of((), {"$MANY": MANY}))
    assert not any(part in found for part in ("irst", "econd", "line", "e4", "5678"))
    for _ in range(depth):
        found = json.loads(found)["command"]
    assert (found[:6], found[-1:], len(found.splitlines())) == ("echo '", "'", 2)
    assert redactor.removed == {"$MANY": 1}


@pytest.mark.parametrize("newline", [r"\n", r"\r\n", r"\\n", "\r\n  ", r"\n\t"])
def test_a_value_of_several_lines_is_found_however_they_are_parted(newline: str) -> None:
    found, _ = masked(newline.join(("first-of-1234", "second-5678")), Secrets.of((), {"$MANY": "first-of-1234\nsecond-5678"}))
    assert found == newline.join(("x" * 13, "x" * 11))


def test_a_key_of_several_lines_is_found_in_a_record_where_the_terminal_has_it_and_the_other_way_round() -> None:
    lines = ("lQOYBF7abcDEFghi", "jklMNOpqrSTUvwx1")
    whole = "-----BEGIN PGP PRIVATE KEY BLOCK-----{0}{0}{1}{0}{2}{0}-----END PGP PRIVATE KEY BLOCK-----"
    for known, other in (("\r\n", r"\n"), (r"\n", "\r\n")):
        found, _ = masked(f"{whole.format(known, *lines)} and {other.join(lines)}")
        assert not any(line in found for line in lines)


def test_a_value_of_ones_own_that_is_never_seen_whole_is_masked_all_the_same() -> None:
    found, redactor = masked(f"{GIVEN[:20]}\r\n  {GIVEN[20:]}", Secrets.of((), {"$MYSEC": GIVEN}))
    assert found == f"{'x' * 20}\r\n  {'x' * 8}"
    assert redactor.removed == {"$MYSEC": 1}


def test_a_value_of_ones_own_is_told_where_it_can_be_read_on_a_screen() -> None:
    redactor = Redactor(Secrets.of((), {"$MYSEC": GIVEN, "$SHORT": "seven77"}))
    assert redactor.drawn([GIVEN[:20], f"  {GIVEN[20:]}", "sev", "en77"], 80) == {"$MYSEC"}


def test_a_pattern_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="not a regular expression"):
        Secrets.of(["("])


def test_what_can_be_read_on_a_screen_is_told_by_kind() -> None:
    _, redactor = masked(KEY)
    assert redactor.drawn(["│ sk-ant-api03-AbCdEf │", "│ GhIjKlMnOpQrSt      │"], 80) == {"anthropic_key"}
    assert redactor.drawn(["sk-ant-xxxx"], 80) == set()


RESTS = [
    (["> sk-ant-xxxxxxxxxxxxxxxxx", f"> {KEY[24:]}"], {"anthropic_key"}),
    ([f"  12 │ {KEY[24:]} │"], {"anthropic_key"}),
    ([f"web-1  | {KEY[20:]}"], {"anthropic_key"}),
    ([KEY[24:]], {"anthropic_key"}),
    ([f"see {KEY[24:]}"], set[str]()),
    ([f"ZZ{KEY[24:]}"], set[str]()),
    ([f"> {KEY[26:]}"], set[str]()),
]


@pytest.mark.parametrize(("rows", "kinds"), RESTS)
def test_the_rest_of_a_known_secret_behind_a_gutter_can_be_read(rows: list[str], kinds: set[str]) -> None:
    _, redactor = masked(KEY)
    assert redactor.drawn(rows, 80) == kinds


WRAPPED = [
    ([f"use {KEY[:16]}", f"{KEY[16:]} now", ""], 20),
    ([f"漢漢{KEY[:16]}", KEY[16:]], 20),
    ([f"│ {KEY[:16]} │", f"│ {KEY[16:]} │"], 80),
]


@pytest.mark.parametrize(("rows", "cols"), WRAPPED)
def test_a_secret_over_two_rows_of_a_screen_is_found_there(rows: list[str], cols: int) -> None:
    redactor = Redactor(Secrets.of())
    assert redactor.drawn(rows, cols) == {"anthropic_key"}
    redactor.learn_screen(rows, cols)
    found = redactor.mask_rows(rows)
    assert [len(row) for row in found] == [len(row) for row in rows]
    assert not any(part in "".join(found) for part in (KEY[7:16], KEY[16:]))
    assert redactor.drawn(found, cols) == set()


def test_the_rest_of_a_secret_that_was_masked_in_part_can_be_read() -> None:
    redactor = Redactor(Secrets.of())
    assert redactor.drawn([f"sk-ant-{'x' * 12}{KEY[-8:]}"], 80) == {"anthropic_key"}
    assert redactor.drawn([f"sk-ant-{'x' * 20}", "a short row, and words"], 80) == set()


def test_what_is_masked_already_is_no_secret() -> None:
    _, redactor = masked(f"sk-ant-{'x' * 20} postgres://me:11111111@db")
    assert redactor.values == {}
