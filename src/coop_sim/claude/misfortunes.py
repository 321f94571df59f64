"""What a scenario lets go wrong in the middle of a turn."""

import asyncio
import os

from coop_sim.claude.session import Session


async def befall(session: Session) -> None:
    if session.faults.crash is not None:
        session.log.flush()
        os._exit(session.faults.crash)
    if session.faults.hang:
        await asyncio.Event().wait()
