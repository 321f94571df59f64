"""The model that a scenario describes, in the items of the Responses API."""

import json
from dataclasses import dataclass

from coop_sim.codex.errors import scripted_failure
from coop_sim.codex.ids import new_id
from coop_sim.codex.lines import message
from coop_sim.codex.model import Call, Failed, Hear, Response
from coop_sim.scenario import Faults, Refused, Reply, ToolUse
from coop_sim.script import Script
from coop_sim.shapes import Table, as_text


@dataclass
class Scripted:
    script: Script

    def begin(self, prompt: str) -> Faults:
        return self.script.begin(prompt)

    async def title(self, call: Call) -> str:
        return self.script.scenario.title

    async def respond(self, call: Call, hear: Hear) -> Response:
        if not call.has_tools:
            return Response(f"resp_{new_id()}", (message("assistant", "A summary."),))
        try:
            return _response(await self.script.reply(call, hear))
        except Refused as refused:
            raise Failed(scripted_failure(refused.error)) from refused


def _response(reply: Reply) -> Response:
    said = (message("assistant", reply.say),) if reply.say else ()
    return Response(f"resp_{new_id()}", (*said, *map(_call, reply.tools)), reply.usage, ends=reply.ends)


def _call(use: ToolUse) -> Table:
    name = f"call_{new_id()}"
    if use.name == "apply_patch":
        return {"type": "custom_tool_call", "call_id": name, "name": use.name, "input": as_text(use.input.get("input"))}
    return {"type": "function_call", "call_id": name, "name": use.name, "arguments": json.dumps(dict(use.input))}
