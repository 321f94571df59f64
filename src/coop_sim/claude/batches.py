"""Which tool uses of one message run at once, and what becomes of the others when one ends the turn."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import groupby

from coop_sim.claude.permissions import may_run_together
from coop_sim.claude.using import Using


def batches(uses: Sequence[Using]) -> Iterator[list[Using]]:
    """Neighbours that only look run at once; the others one after the other."""
    for is_safe, group in groupby(uses, key=lambda using: may_run_together(using.use)):
        batch = list(group)
        yield from [batch] if is_safe else [[using] for using in batch]


async def together(batch: Sequence[Using]) -> bool:
    """False, and the others are stopped, as soon as one ends the turn."""
    if len(batch) == 1:
        return await batch[0].run()
    async with asyncio.TaskGroup() as group:
        waiting = {group.create_task(using.run()) for using in batch}
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if not all(task.result() for task in done):
                for task in waiting:
                    task.cancel()
                return False
    return True
