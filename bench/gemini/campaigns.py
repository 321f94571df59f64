"""What is done with Gemini CLI, how often, and what is written of it."""

from collections.abc import Mapping

from bench.agents.answer import Answers
from bench.agents.command import Plan
from bench.agents.deliver import Deliver
from bench.agents.page_answers import AnswersPage
from bench.agents.page_delivery import DeliveryPage
from bench.agents.page_states import StatesPage
from bench.agents.rivals import Rivals
from bench.agents.states import States
from bench.gemini.prompts import CASES
from bench.gemini.scenarios import SCENARIOS
from bench.gemini.subject import GEMINI, VERSION

STATES = States(GEMINI, SCENARIOS, per_round=140)
STATES_PAGE = StatesPage(
    STATES,
    least=150,
    also="Esc or a denial ends it with the key",
    between="A message that interrupts ends a turn, and another follows",
    first=" (a hook comes before the drawing)",
    most_late=None,
)
DELIVER = Deliver(GEMINI)
DELIVERY_PAGE = DeliveryPage(
    GEMINI,
    least=200,
    longest="20,000",
    changes="no blanks around it, four blanks for a tab, and a backslash before a `/` or a `?`, which would be a command",
    idle="the answer before it is drawn",
)
ANSWERS = Answers(GEMINI, CASES)
ANSWERS_PAGE = AnswersPage(
    ANSWERS,
    least=100,
    by={"keys": 100},
    ways="by keys, since no hook of Gemini's can carry an answer",
    told="the tool's result",
    ends="a plain denial ends the turn, all else goes on",
)
PLANS: Mapping[str, Plan] = {
    "states": Plan([(STATES, 150)], STATES_PAGE.write),
    "delivery": Plan([(DELIVER, 200), (Rivals(GEMINI, (VERSION,)), 40)], DELIVERY_PAGE.write),
    "answers": Plan([(ANSWERS, 100)], ANSWERS_PAGE.write),
}
