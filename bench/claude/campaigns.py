"""What is done with Claude Code, how often, and what is written of it."""

from collections.abc import Mapping

from bench.agents.answer import Answers
from bench.agents.command import Plan
from bench.agents.deliver import Deliver
from bench.agents.page_answers import AnswersPage
from bench.agents.page_delivery import DeliveryPage
from bench.agents.page_states import StatesPage
from bench.agents.rivals import Rivals
from bench.agents.states import States
from bench.claude import hooks, page_hooks
from bench.claude.look import final
from bench.claude.prompts import CASES
from bench.claude.scenarios import SCENARIOS
from bench.claude.subject import CLAUDE, VERSIONS

STATES = States(CLAUDE, SCENARIOS, per_round=200, final=final)
STATES_PAGE = StatesPage(
    STATES,
    least=300,
    also="a hook of the user's own that holds the turn counts too; Esc or a denial ends it with the key",
    first=" (the hook comes before the drawing, and 2.1.325 holds a dialog back while somebody has just typed)",
    unhooked=("trust", "auto mode"),
)
DELIVER = Deliver(CLAUDE)
DELIVERY_PAGE = DeliveryPage(
    CLAUDE,
    least=500,
    longest="100,000",
    changes="NFC, four blanks for a tab, no blanks at the end, and a backslash before what would run a command or end the agent",
    idle="Claude's own status file says idle",
)
ANSWERS = Answers(CLAUDE, CASES)
ANSWERS_PAGE = AnswersPage(
    ANSWERS,
    least=300,
    by={"hook": 100, "keys": 100},
    ways="by the reply of its hook and by keys",
    told="the tool's result",
    ends="a plain denial ends the turn, all else goes on",
)
PLANS: Mapping[str, Plan] = {
    "states": Plan([(STATES, 400)], STATES_PAGE.write),
    "delivery": Plan([(DELIVER, 500), (Rivals(CLAUDE, VERSIONS), 100)], DELIVERY_PAGE.write),
    "answers": Plan([(ANSWERS, 300)], ANSWERS_PAGE.write),
    "hooks": Plan([(hooks, 200)], page_hooks.write),
}
