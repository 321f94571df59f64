"""`coop wait`: until the agent does what is waited for."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

import click

from coop.cli.looks import state_word
from coop.cli.prompts import summary
from coop.cli.reaching import Asking, Door, echo_json, session
from coop.client.api import Api
from coop.client.session import NotInTime, Session
from coop.errors import BadRequest
from coop.model.prompt import Permission, Plan, Question, Setup
from coop.model.state import AgentState, AltScreen, Exited, Failed, Idle, Prompted, Starting, Unknown, Working
from coop.wire.states import state_name
from coop.wire.stream import state_told

KINDS: Mapping[str, type] = {
    "idle": Idle,
    "prompt": Prompted,
    "permission": Permission,
    "question": Question,
    "plan": Plan,
    "setup": Setup,
    "error": Failed,
    "exited": Exited,
    "working": Working,
    "starting": Starting,
    "alt_screen": AltScreen,
    "unknown": Unknown,
}
_API_NAMES = {
    "waiting_for_input": "idle",
    "permission_prompt": "permission",
    "ask_user": "question",
    "plan_prompt": "plan",
    "setup_prompt": "setup",
}
ATTENTION = "idle,prompt,error,exited"


@click.command(cls=Asking)
@session
@click.option(
    "--for", "kinds", default=ATTENTION, metavar="STATES", show_default=True, help="Any of these, with commas between them."
)
@click.option("--timeout", type=click.FloatRange(0), metavar="SECS", help="At most so long.  [default: for ever]")
def wait(door: Door, *, as_json: bool, kinds: str, timeout: float | None) -> None:
    """Wait until the agent is idle, asks, or ends.

    STATES are idle, prompt (or one of permission, question, plan, setup), error, exited, working, starting, alt_screen, unknown;
    the names of the API are understood too. What is there already is not waited for.
    """
    kind = kinds_of(kinds)

    async def asked(api: Api) -> AgentState:
        try:
            found = await Session(api).wait_for(kind, timeout)
        except NotInTime as late:
            now = f"it is {state_name(late.seen)}" if late.seen is not None else "coop does not answer"
            raise TimeoutError(f"{kinds} did not come within {timeout:g} s; {now}") from None
        return Prompted(found) if isinstance(found, Permission | Question | Plan | Setup) else found

    state = door.ask(asked)
    if as_json:
        echo_json(state_told(state))
    else:
        asks = f": {summary(state.prompt)}" if isinstance(state, Prompted) else ""
        click.echo(f"{state_word(state_name(state))}{asks}")


def kinds_of(words: str) -> Any:
    """One class, or several as a union. Raises `BadRequest` for a word that is none."""
    found = [word.strip() for word in words.split(",") if word.strip()]
    unknown = [word for word in found if _API_NAMES.get(word, word) not in KINDS]
    if unknown or not found:
        raise BadRequest(f"--for: expected some of {', '.join(KINDS)}, got {unknown[0] if unknown else words!r}")
    kinds: list[Any] = [KINDS[_API_NAMES.get(word, word)] for word in found]
    return reduce(lambda some, other: some | other, kinds)
