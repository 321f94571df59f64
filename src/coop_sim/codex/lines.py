"""What the lines of the rollout hold."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from coop_sim.codex.flags import VERSION, Options
from coop_sim.codex.ids import new_id
from coop_sim.shapes import Table

WINDOW = 258_400
ABORTED = (
    "<turn_aborted>\nThe user interrupted the previous turn on purpose. Any running unified exec processes may still be running "
    "in the background. If any tools/commands were aborted, they may have partially executed.\n</turn_aborted>"
)
_COUNTS = ("input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens", "reasoning_output_tokens")


def session_meta(thread: str, began: str, options: Options, provider: str) -> Table:
    return {
        "session_id": thread,
        "id": thread,
        "timestamp": began,
        "cwd": str(options.cwd),
        "runtime_workspace_roots": [str(options.cwd)],
        "originator": "codex_exec" if options.is_headless else "codex-tui",
        "cli_version": VERSION,
        "source": "exec" if options.is_headless else "cli",
        "thread_source": "user",
        "model_provider": provider,
        "base_instructions": {"text": "You are a pretend Codex."},
    }


def task_started(turn: str, mode: str, began: float) -> Table:
    attribution = {"turn_id": turn, "turn_trigger": "user", "parent_turn_id": None, "initiating_agent_path": None}
    return {
        "type": "task_started",
        "turn_attribution": {**attribution, "root_turn_id": turn},
        "turn_id": turn,
        "root_turn_id": turn,
        "started_at": int(began),
        "model_context_window": WINDOW,
        "collaboration_mode_kind": mode,
    }


def turn_context(turn: str, model: str, options: Options) -> Table:
    return {
        "turn_id": turn,
        "root_turn_id": turn,
        "cwd": str(options.cwd),
        "approval_policy": options.approval,
        "approvals_reviewer": "user",
        "sandbox_policy": {"type": options.sandbox},
        "model": model,
        "summary": "none",
    }


def environment(cwd: Path) -> str:
    return f"<environment_context>\n  <cwd>{cwd}</cwd>\n  <shell>bash</shell>\n</environment_context>"


def message(role: str, text: str) -> Table:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "id": f"msg_{new_id()}", "role": role, "content": [{"type": kind, "text": text}]}


def item_completed(thread: str, turn: str, item: Table) -> Table:
    now = time.time_ns() // 1_000_000
    told: Table = {"type": "item_completed", "thread_id": thread, "turn_id": turn, "item": item}
    return told | {"started_at_ms": now, "completed_at_ms": now}


def user_message(text: str) -> Table:
    content = [{"type": "text", "text": text, "text_elements": list[object]()}]
    return {"type": "UserMessage", "id": new_id(), "client_id": new_id(), "content": content}


def agent_message(name: str, text: str) -> Table:
    return {"type": "AgentMessage", "id": name, "content": [{"type": "Text", "text": text}]}


def command_execution(call: str, command: str, cwd: Path, code: int, output: str) -> Table:
    return {
        "type": "CommandExecution",
        "id": call,
        "command": ["/bin/bash", "-lc", command],
        "cwd": f"file://{cwd}",
        "parsed_cmd": [{"type": "unknown", "cmd": command}],
        "source": "unified_exec_startup",
        "status": "completed" if code == 0 else "failed",
        "aggregated_output": output,
        "exit_code": code,
    }


def usage_of(counts: Mapping[str, int]) -> dict[str, int]:
    found = {name: counts.get(name, 0) for name in _COUNTS}
    return found | {"total_tokens": counts.get("total_tokens", found["input_tokens"] + found["output_tokens"])}


def added(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in (*_COUNTS, "total_tokens")}


def output_item(call: Table, text: str) -> Table:
    """What a tool's call is answered with."""
    is_custom = call.get("type") == "custom_tool_call"
    kind, prefix = ("custom_tool_call_output", "ctco") if is_custom else ("function_call_output", "fco")
    return {"type": kind, "id": f"{prefix}_{new_id()}", "call_id": call.get("call_id"), "output": text}


def verified_answer(turn: str, call: str, pairs: Sequence[tuple[str, str]]) -> Table:
    questions = [{"question": question, "answer": answer} for question, answer in pairs]
    return {"type": "verified_answer", "turn_id": turn, "call_id": call, "questions": questions}
