"""Which model answers: the scenario's when there is one, else the API's when one is named, else one that has nothing to say."""

from coop_sim.claude.model import Model
from coop_sim.claude.remote import remote
from coop_sim.claude.session import Session
from coop_sim.script import Script


def model_of(session: Session) -> Model:
    options = session.options
    name = session.version.model.partition("[")[0]
    found = None if options.scenario else remote(options.env, model=name, recovers=session.version.recovers_streams)
    return found or Script(session.scenario)
