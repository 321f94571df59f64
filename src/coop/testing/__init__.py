"""The public test kit: conversations with a core, a clock you turn by hand, and a coop to run against."""

from coop.testing.clock import ManualClock
from coop.testing.playbook import Playbook
from coop.testing.process import CoopProcess, running_coop
from coop.testing.waiting import eventually

__all__ = ["CoopProcess", "ManualClock", "Playbook", "eventually", "running_coop"]
