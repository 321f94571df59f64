"""Names for the counters that tell one thing from another."""

from typing import NewType

RequestId = NewType("RequestId", int)
ConnectionId = NewType("ConnectionId", int)
PromptId = NewType("PromptId", str)
HookId = NewType("HookId", int)
ReceiptId = NewType("ReceiptId", str)
EventSeq = NewType("EventSeq", int)
Offset = NewType("Offset", int)
