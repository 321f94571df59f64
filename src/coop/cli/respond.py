"""`coop respond`: answers what the agent asks; without an answer it shows what that is, and asks you."""

import sys
from collections.abc import Mapping

import click
import msgspec

from coop.cli import answers
from coop.cli.answers import Given
from coop.cli.looks import DIM, painted
from coop.cli.prompts import query_shown, shown
from coop.cli.reaching import Asking, Door, Exit, echo_json, session, text_of
from coop.client.api import Api
from coop.errors import BadRequest, NoPrompt, PromptChanged
from coop.model.prompt import Prompt, Question
from coop.wire import decode
from coop.wire.decode import Body
from coop.wire.http import AnswerRequest, RespondRequest


@click.command(cls=Asking)
@session
@click.option("-y", "--yes", is_flag=True, help="Accept, with the least permission offered.")
@click.option("-n", "--no", is_flag=True, help="No, which ends the turn.")
@click.option(
    "-o",
    "--option",
    "options",
    multiple=True,
    metavar="N|LABEL",
    help="By number or label. Repeatable where many may be chosen.",
)
@click.option("--text", metavar="TEXT", help="Words: an answer, or what goes with --no.")
@click.option("--always", is_flag=True, help="Yes, and do not ask again, as far as the agent offers that.")
@click.option("--answers", "several", metavar="JSON", help='To several questions: [{"option":2},{"text":"…"}].')
@click.option("--prompt", metavar="ID", help="Answer this prompt or none.")
@click.option("--by-keys", is_flag=True, help="Type the answer even where the agent's hook could carry it.")
@click.pass_context
def respond(
    ctx: click.Context,
    door: Door,
    *,
    as_json: bool,
    yes: bool,
    no: bool,
    options: tuple[str, ...],
    text: str | None,
    always: bool,
    several: str | None,
    prompt: str | None,
    by_keys: bool,
) -> None:
    """Answer what the agent asks.

    On a terminal, and without an answer: shows the prompt, and asks. Only what was shown is answered; if another prompt has taken
    its place meanwhile, nothing is typed.
    """
    _refuse_two({"--yes": yes, "--no": no, "--option": bool(options), "--answers": several is not None})
    _refuse_two({"--always": always, "--no": no, "--option": bool(options), "--answers": several is not None})
    _refuse_two({"--text": text is not None, "--answers": several is not None})
    given = Given(True if yes else False if no else None, options, text, _several(several), always, prompt, by_keys)
    if not given.is_empty:
        _tell(door.ask(lambda api: _answer(api, given)), as_json=as_json)
        return
    asked = door.ask(lambda api: _asked(api, prompt))
    if not as_json:
        click.echo("\n".join(shown(asked)))
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadRequest("no answer is given: use --yes, --no, --option, --text or --answers, or run this on a terminal")
    request = _from_person(asked)
    if request is None:
        click.echo("left as it is")
        ctx.exit(Exit.REFUSED)
    request.by_keys = by_keys
    _tell(door.ask(lambda api: api.say("/api/v1/agent/respond", request)), as_json=as_json)


def _refuse_two(given: Mapping[str, bool]) -> None:
    """One of two answers would be left out, and nobody would know which."""
    names = [name for name, is_given in given.items() if is_given]
    if len(names) > 1:
        raise BadRequest(f"{' and '.join(names)}: give one of them")


def _several(text: str | None) -> tuple[AnswerRequest, ...]:
    if text is None:
        return ()
    try:
        return msgspec.json.decode(text, type=tuple[AnswerRequest, ...])
    except msgspec.DecodeError as error:
        raise BadRequest(f'--answers: expected a list like [{{"option":2}},{{"text":"…"}}]: {error}') from None


async def _answer(api: Api, given: Given) -> Body:
    asked = await _asked(api, given.prompt) if given.needs_prompt else None
    return await api.say("/api/v1/agent/respond", answers.request(given, asked))


async def _asked(api: Api, identity: str | None) -> Prompt:
    """The prompt of that id, or the one on screen. Raises `NoPrompt` or `PromptChanged`."""
    said = await api.get("/api/v1/agent/state")
    prompts = [each for each in map(decode.prompt, (said.get("prompt"), *(said.get("prompts") or ()))) if each is not None]
    if not prompts:
        raise NoPrompt(f"the agent asks nothing: its state is {said['state']}", "no_prompt", said["state"])
    found = next((each for each in prompts if identity in (None, each.id)), None)
    if found is None:
        raise PromptChanged(
            f"no prompt {identity!r} is open; what is asked now is {prompts[0].id!r}", "prompt_changed", said["state"]
        )
    return found


def _from_person(prompt: Prompt) -> RespondRequest | None:
    """`None` when it is to be left."""
    if isinstance(prompt, Question) and len(prompt.queries) > 1:
        return _each_question(prompt)
    while words := _line(answers.hint(prompt)):
        try:
            return answers.typed(words, prompt)
        except BadRequest as error:
            click.echo(error.message, err=True)
    return None


def _each_question(prompt: Question) -> RespondRequest | None:
    given: list[AnswerRequest] = []
    for query in prompt.queries:
        click.echo("\n".join(query_shown(query)))
        while words := _line(answers.query_hint(query)):
            try:
                given.append(answers.answered(words, query))
                break
            except BadRequest as error:
                click.echo(error.message, err=True)
        else:
            return None
    return RespondRequest(answers=tuple(given), prompt_id=prompt.id)


def _line(hint: str) -> str:
    click.echo(painted(hint, DIM))
    return text_of(lambda: click.prompt(">", default="", show_default=False, prompt_suffix=" ")).strip()


def _tell(reply: Body, *, as_json: bool) -> None:
    if as_json:
        echo_json(reply)
    else:
        click.echo(f"{reply.get('effect') or 'delivered'}, by {reply.get('via') or 'keys'}")
