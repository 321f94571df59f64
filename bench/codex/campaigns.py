"""What is done with Codex, how often, and what is written of it."""

from collections.abc import Mapping

from bench.agents.answer import Answers
from bench.agents.command import Plan
from bench.agents.deliver import Deliver
from bench.agents.page_answers import AnswersPage
from bench.agents.page_delivery import DeliveryPage
from bench.agents.page_states import StatesPage
from bench.agents.rivals import Rivals
from bench.agents.states import States
from bench.codex.prompts import CASES, told
from bench.codex.scenarios import SCENARIOS
from bench.codex.subject import CODEX, VERSION

STATES = States(CODEX, SCENARIOS, per_round=100)
STATES_PAGE = StatesPage(
    STATES,
    least=150,
    also="a command that runs in the background counts too; Esc or a denial ends it with the key",
    between="A denial or a plan's answer, with words or not, and a message that interrupts end a turn, and another follows",
    first=" (the hook comes before the drawing, and Codex holds a dialog back for a second after the last key)",
    most_late=None,
)
DELIVER = Deliver(CODEX)
DELIVERY_PAGE = DeliveryPage(
    CODEX,
    least=200,
    longest="100,000",
    changes="no blanks around it, and a backslash before a `!`, which would run a command",
    idle="the answer before it is drawn",
)
ANSWERS = Answers(CODEX, CASES, told)
ANSWERS_PAGE = AnswersPage(
    ANSWERS,
    least=100,
    by={"keys": 75, "hook": 20},
    ways="by keys, and where its hook is held (`--answer-by hook`) by the hook's reply",
    told="the tool's result or the message",
    ends="a plain denial by keys ends the turn, all else goes on",
)
PLANS: Mapping[str, Plan] = {
    "states": Plan([(STATES, 200)], STATES_PAGE.write),
    "delivery": Plan([(DELIVER, 200), (Rivals(CODEX, (VERSION,)), 40)], DELIVERY_PAGE.write),
    "answers": Plan([(ANSWERS, 100)], ANSWERS_PAGE.write),
}
