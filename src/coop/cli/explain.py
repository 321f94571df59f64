"""`coop explain`: why the agent is said to do what it is said to do."""

from collections.abc import Iterator

import click

from coop.cli.looks import BOLD, DIM, PLAIN, Cell, age, fields, one_line, state_word, table
from coop.cli.reaching import Door, Looking, echo_json, session
from coop.wire.decode import Body


@click.command(cls=Looking)
@session
def explain(door: Door, *, as_json: bool) -> None:
    """Tell why it is said to do that.

    Which source said what and when, which rule decided, what would change it, and what will be believed next if nothing is
    said. With --json it is the body of GET /api/v1/agent/explain.
    """
    why = door.ask(lambda api: api.get("/api/v1/agent/explain"))
    if as_json:
        echo_json(why)
    else:
        click.echo("\n".join(told(why)))


def told(why: Body) -> list[str]:
    return [*fields(list(_reasons(why))), "", *table(list(_sources(why)), width=None)]


def _reasons(why: Body) -> Iterator[tuple[str, str]]:
    yield "state", f"{state_word(why['state'])} for {age(why['for_secs'])}"
    yield "because", f"{one_line(why['rule'])} ({why['detection_tier']})"
    yield "until", one_line(why["until"])
    if pending := why.get("pending"):
        yield "next", f"{state_word(pending['state'])} in {max(0.0, pending['in_secs']):.1f}s: {one_line(pending['rule'])}"
    if kept := why.get("work_after_the_turn"):
        yield "kept busy", one_line(kept)
    if held := why.get("held_hooks"):
        yield "hooks", f"{held} held, waiting for an answer"
    if attached := why.get("attached"):
        yield "attached", one_line(f"{attached['to']}: {attached['output']}")


def _sources(why: Body) -> Iterator[list[Cell]]:
    yield [("", DIM), ("source", DIM), ("said", DIM), ("ago", DIM), ("for", DIM)]
    for word in why["tiers"]:
        mark: Cell = ("→", BOLD) if word["decides"] else ("", PLAIN)
        yield [mark, (word["tier"], BOLD if word["decides"] else PLAIN), *_said(word)]


def _said(word: Body) -> list[Cell]:
    if word["said"] is None:
        silent = f"cannot: {one_line(word['unavailable'])}" if word.get("unavailable") else "nothing yet"
        return [(silent, DIM), ("", DIM), ("", DIM)]
    return [(one_line(word["said"]), PLAIN), (age(word["ago_secs"]), PLAIN), (age(word["since_secs"]), PLAIN)]
