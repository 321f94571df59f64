"""`coop wait`: until the agent does what is waited for."""

import time
from collections.abc import Mapping
from functools import reduce
from typing import Any

import click
from click.shell_completion import CompletionItem

from coop.cli.looks import ended, state_word
from coop.cli.prompts import summary
from coop.cli.reaching import Asking, Door, door_of, echo_json, session, what_to_do_about
from coop.cli.seconds import Seconds
from coop.client.api import Api
from coop.client.session import NotAnyMore, NotInTime, Session
from coop.errors import BadRequest, NoSuchSession
from coop.errors import Exited as ChildExited
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
_OTHER_NAMES = {
    "exit": "exited",
    "waiting_for_input": "idle",
    "permission_prompt": "permission",
    "ask_user": "question",
    "plan_prompt": "plan",
    "setup_prompt": "setup",
}
ATTENTION = "idle,prompt,error,exited"
STARTS_WITHIN = 5.0
_LOOK_EVERY = 0.1


class Waiting(Asking):
    """A session that was started a moment ago has no socket yet: it is looked for until it has, in the time there is."""

    def found(self, ctx: click.Context, word: str | None, token: str | None) -> Door:
        timeout: float | None = ctx.params["timeout"]
        began = time.monotonic()
        door = _found(word, token, until=began + (STARTS_WITHIN if timeout is None else timeout))
        if timeout is not None and (spent := time.monotonic() - began) > _LOOK_EVERY:
            ctx.params["timeout"] = max(0.0, round(timeout - spent, 2))
        return door


def _found(word: str | None, token: str | None, *, until: float) -> Door:
    while True:
        try:
            return door_of(word, token)
        except NoSuchSession:
            if word is None or time.monotonic() >= until:
                raise
        time.sleep(_LOOK_EVERY)


def complete_kinds(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The last of several words."""
    before, comma, begun = incomplete.rpartition(",")
    return [CompletionItem(f"{before}{comma}{word}") for word in KINDS if word.startswith(begun.lower())]


@click.command(cls=Waiting)
@session
@click.option(
    "--for",
    "kinds",
    default=ATTENTION,
    metavar="STATES",
    show_default=True,
    shell_complete=complete_kinds,
    help="Any of these, with commas between them.",
)
@click.option("--timeout", type=Seconds(0), metavar="SECS", help="At most so long.  [default: for ever]")
def wait(door: Door, *, as_json: bool, kinds: str, timeout: float | None) -> None:
    """Wait until the agent is idle, asks, or ends.

    STATES are idle, prompt (or one of permission, question, plan, setup), error, exited, working, starting, alt_screen, unknown;
    the names of the API are understood too. What is there already is not waited for. A name that no session has yet is looked
    for, for as long as --timeout says, or for 5 s: what was started a moment ago may need one.
    """
    kind = kinds_of(kinds)

    async def asked(api: Api) -> AgentState:
        try:
            found = await Session(api).wait_for(kind, timeout)
        except NotInTime as late:
            if late.seen is None:
                silent = f"coop does not answer, so nobody knows whether {kinds} has come"
                raise TimeoutError("; ".join(filter(None, (silent, what_to_do_about(api.address.socket))))) from None
            raise TimeoutError(f"{kinds} did not come within {timeout:g} s; it is {state_name(late.seen)}") from None
        except NotAnyMore as gone:
            how = ended(gone.seen.status) if isinstance(gone.seen, Exited) else ""
            raise ChildExited(f"{kinds} cannot come any more: the child has exited {how}".rstrip()) from None
        return Prompted(found) if isinstance(found, Permission | Question | Plan | Setup) else found

    state = door.ask(asked)
    if as_json:
        echo_json(state_told(state))
    else:
        asks = f": {summary(state.prompt)}" if isinstance(state, Prompted) else ""
        click.echo(f"{state_word(state_name(state))}{asks}")


def kinds_of(words: str) -> Any:
    """One class, or several as a union. Raises `BadRequest` for a word that is none."""
    found = [word.strip().lower() for word in words.split(",") if word.strip()]
    unknown = [word for word in found if _OTHER_NAMES.get(word, word) not in KINDS]
    if unknown or not found:
        raise BadRequest(f"--for: expected some of {', '.join(KINDS)}, got {unknown[0] if unknown else words!r}")
    kinds: list[Any] = [KINDS[_OTHER_NAMES.get(word, word)] for word in found]
    return reduce(lambda some, other: some | other, kinds)
