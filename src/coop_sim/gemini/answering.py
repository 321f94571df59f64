"""What an answer is for the tool that asked: for those that only ask, it is all there is to do."""

import json

from coop_sim.gemini.dialogs import Answer, Answers, Chosen, Typed
from coop_sim.gemini.plan_dialog import AUTO
from coop_sim.gemini.session import Session
from coop_sim.gemini.tools import Done
from coop_sim.scenario import ToolUse
from coop_sim.shapes import as_list, as_table, as_text


def settle(use: ToolUse, answer: Answer, session: Session) -> Done | None:
    """`None`: the tool has yet to run."""
    match use.name, answer:
        case "ask_user", Answers(given):
            return _asked(use, dict(given))
        case "enter_plan_mode", _:
            session.change_mode("plan")
            words = f"Switching to Plan mode: {as_text(use.input.get('reason'))}"
            told = f"Switching to Plan mode. Write the plan to `{session.plans}/`."
            return Done(use, "success", {"output": told}, (words,), display=words)
        case "exit_plan_mode", Typed(words):
            told = f"Plan rejected. User feedback: {words}\n\nRevise the plan based on the feedback."
            return Done(use, "success", {"output": told}, (f"Feedback: {words}",), display=f"Feedback: {words}")
        case "exit_plan_mode", Chosen(label):
            return _approved(use, label, session)
        case _:
            return None


def _asked(use: ToolUse, given: dict[str, str]) -> Done:
    questions = [as_table(each) for each in as_list(use.input.get("questions"))]
    rows = [f"  {as_text(each.get('header'))} → {given.get(str(n), '')}" for n, each in enumerate(questions)]
    output = json.dumps({"answers": given}, ensure_ascii=False, separators=(",", ":"))
    display = "\n".join(("**User answered:**", *rows))
    return Done(use, "success", {"output": output}, ("User answered:", *rows), display=display)


def _approved(use: ToolUse, label: str, session: Session) -> Done:
    session.change_mode("auto_edit" if label == AUTO else "default")
    path = session.plans / as_text(use.input.get("plan_filename"))
    words = f"Plan approved: {path}"
    told = f"Plan approved. The approved implementation plan is stored at: {path}"
    return Done(use, "success", {"output": told}, (words,), display=words)
