"""Scenarios from TOML, ours and claudeless' spelling; what is wrong is named with its key."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from coop_sim.scenario import ApiError, BadScenario, Faults, KnownError, Reply, Scenario, ToolUse, Turn
from coop_sim.scenario_table import TableReader

Errors = Mapping[int, KnownError]
"""By the status of the answer."""
_REPLY = Reply()
_UNKNOWN = KnownError("server_error", "Internal server error")


def read_scenario(path: Path, defaults: Scenario, errors: Errors) -> Scenario:
    """`defaults` and `errors` are the agent's own words for what the file leaves out."""
    try:
        return scenario_from(path.read_text(), defaults, errors)
    except (OSError, UnicodeDecodeError) as problem:
        raise BadScenario(f"{path}: cannot be read: {problem}") from problem
    except BadScenario as problem:
        raise BadScenario(f"{path}: {problem}") from problem


def scenario_from(text: str, defaults: Scenario, errors: Errors) -> Scenario:
    try:
        reader = TableReader("", tomllib.loads(text))
    except tomllib.TOMLDecodeError as problem:
        raise BadScenario(f"not TOML: {problem}") from problem
    scenario = Scenario(
        turns=tuple(_turn(turn, errors) for turn in reader.tables("turn")) + _claudeless_turns(reader),
        title=reader.text("title", defaults.title),
        faults=_faults(reader.table("faults")),
        is_checked_in_auto=reader.flag("auto_checked", None),
        default=_claudeless_default(reader, defaults.default),
    )
    reader.finish()
    return scenario


def _turn(table: TableReader, errors: Errors) -> Turn:
    turn = Turn(
        match=_pattern(table, "match"),
        replies=(_reply(table), *(_reply(then) for then in table.tables("then", shorthand="say"))),
        error=_error(table.table("error"), errors) if table.has("error") else None,
        faults=_faults(table),
        times=table.integer("times", None),
    )
    for then in table.opened("then"):
        then.finish()
    table.finish()
    return turn


def _pattern(table: TableReader, key: str) -> str | None:
    pattern = table.text(key, None)
    try:
        re.compile(pattern or "")
    except re.error as problem:
        raise BadScenario(f"{table.name(key)}: expected a regular expression, got {pattern!r}: {problem}") from problem
    return pattern


def _reply(table: TableReader) -> Reply:
    return Reply(
        say=table.text("say", ""),
        think=table.text("think", ""),
        delay=table.number("delay", _REPLY.delay),
        pace=table.number("pace", _REPLY.pace),
        tools=tuple(_tool(tool, "name") for tool in table.tables("tool")),
    )


def _tool(table: TableReader, name: str) -> ToolUse:
    tool = ToolUse(table.required(name), table.anything("input"))
    table.finish()
    return tool


def _error(table: TableReader, errors: Errors) -> ApiError:
    status = table.integer("status", 500)
    known = errors.get(status) or errors.get(500, _UNKNOWN)
    error = ApiError(
        status=status,
        kind=table.text("kind", known.kind),
        message=table.text("message", known.message),
        retries=table.integer("retries", 0),
        wait=table.number("wait", 1.0),
    )
    table.finish()
    return error


def _faults(table: TableReader) -> Faults:
    faults = Faults(
        hang=table.flag("hang", False),
        crash=table.integer("crash", None),
        no_hooks=table.flag("no_hooks", False),
        no_status_file=table.flag("no_status_file", False),
        torn_log_line=table.flag("torn_log_line", False),
        slow_dialog=table.number("slow_dialog", 0.0),
    )
    if table.where.endswith("faults"):
        table.finish()
    return faults


def _claudeless_turns(reader: TableReader) -> tuple[Turn, ...]:
    reader.ignore("name", "tool_execution", "default_model", "claude_version")
    return tuple(_claudeless_turn(response) for response in reader.tables("responses"))


def _claudeless_turn(table: TableReader) -> Turn:
    replies = tuple(_claudeless_reply(one) for one in table.tables("response", shorthand="text"))
    turn = Turn(match=_claudeless_pattern(table.table("pattern")), replies=replies, times=table.integer("max_matches", None))
    table.finish()
    return turn


def _claudeless_reply(table: TableReader) -> Reply:
    tools = tuple(_tool(tool, "tool") for tool in table.tables("tool_calls"))
    milliseconds = table.number("delay_ms", _REPLY.delay * 1000)
    table.ignore("usage")
    reply = Reply(say=table.text("text", ""), tools=tools, delay=milliseconds / 1000)
    table.finish()
    return reply


def _claudeless_pattern(table: TableReader) -> str | None:
    kind, text = table.choice("type", ("contains", "regex", "exact", "any")), table.text("text", table.text("pattern", ""))
    table.finish()
    return {"contains": re.escape(text), "regex": text, "exact": rf"\A{re.escape(text)}\Z", "any": None}[kind]


def _claudeless_default(reader: TableReader, default: str) -> str:
    replies = reader.tables("default_response", shorthand="text")
    return _claudeless_reply(replies[0]).say if replies else reader.text("default", default)
