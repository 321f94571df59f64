"""`coop state`: what the agent is doing."""

import os
from typing import Any

import click

from coop.cli.looks import age, fields, one_line, place, state_word
from coop.cli.prompts import summary
from coop.cli.reaching import Door, Looking, echo_json, session
from coop.client.api import Api
from coop.wire.decode import Body, prompt


@click.command(cls=Looking)
@session
def state(door: Door, *, as_json: bool) -> None:
    """Tell what the agent is doing.

    With --json it is the body of GET /api/v1/agent/state.
    """
    if as_json:
        echo_json(door.ask(lambda api: api.get("/api/v1/agent/state")))
    else:
        click.echo("\n".join(told(*door.ask(_asked), home=os.environ.get("HOME"))))


async def _asked(api: Api) -> tuple[Body, Body]:
    return await api.get("/api/v1/agent/state"), await api.get("/api/v1/agent/explain")


def told(said: Body, why: Body, *, home: str | None) -> list[str]:
    asked = [each for each in map(prompt, said.get("prompts") or ()) if each is not None]
    shown = prompt(said.get("prompt"))
    return fields(
        [
            ("state", f"{state_word(said['state'])} for {age(why['for_secs'])}"),
            ("detail", _text(said, "detail")),
            ("exit", _exit(said)),
            ("asks", summary(shown) if shown is not None else ""),
            ("waiting", f"{len(asked)} prompts" if len(asked) > 1 else ""),
            ("agent", _agent(said)),
            ("model", _text(said, "model")),
            ("mode", _text(said, "permission_mode")),
            ("cwd", place(_text(said, "cwd"), home)),
            ("last", _text(said, "last_message")),
            ("told by", _text(said, "detection_tier")),
        ]
    )


def _text(said: Body, key: str) -> str:
    return one_line(str(said.get(key) or ""))


def _exit(said: Body) -> str:
    code: Any = said.get("exit_code")
    number: Any = said.get("exit_signal")
    return f"by signal {number}" if number is not None else f"code {code}" if code is not None else ""


def _agent(said: Body) -> str:
    version = _text(said, "agent_version")
    tested = {True: "", False: " (not a version coop was tested with)"}.get(said.get("tested") or not version, "")
    return f"{_text(said, 'agent')}{f' {version}' if version else ''}{tested}"
