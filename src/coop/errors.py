"""What can go wrong, each with the code that says so on every transport.

CoopError
├── BadRequest        BAD_REQUEST     the request is malformed; the message names the field
├── Unauthorized      UNAUTHORIZED    no token, or a wrong one
├── Forbidden         FORBIDDEN       a foreign Host or Origin
│   └── SelfAnswer    SELF_ANSWER     the agent's own child tries to type for it
├── NotFound          NOT_FOUND       no such route
├── NotAllowed        METHOD_NOT_ALLOWED
├── TooLarge          TOO_LARGE       the request is larger than what is read
├── NotReady          NOT_READY       the child has not started
├── Exited            EXITED          the child has exited
│   └── ExitedMeanwhile  EXITED       …before it had shown that it took a message
├── WriterBusy        WRITER_BUSY     somebody else is typing
├── NoDriver          NO_DRIVER       this agent cannot be nudged or answered
├── MessageTooLong    MESSAGE_TOO_LONG  more than was measured to arrive whole
├── KeyReused         KEY_REUSED      an Idempotency-Key that was used for another message
├── NotOurs           NOT_OURS        the terminal is somebody else's: it is attached to, not resized
├── Lagged            LAGGED          a reader of output was too slow, and bytes are lost to it (gRPC)
├── NotNow                            the agent is not in the state for it
│   ├── AgentBusy     AGENT_BUSY      a nudge when it does not wait for input
│   ├── NoPrompt      NO_PROMPT       an answer when it asks nothing
│   ├── Unverified    UNVERIFIED      typed, but nothing shows that the agent took it
│   ├── DraftPresent  DRAFT_PRESENT   somebody has begun to type, and it is to be kept
│   ├── PromptChanged PROMPT_CHANGED  an answer to a prompt that is no longer there
│   └── Unrecognized  DIALOG_UNRECOGNIZED  a dialog that cannot be answered by what it says
├── Internal          INTERNAL        a broken world, or a bug of ours
├── Unreachable       UNREACHABLE     a client gets no answer from where coop should be
│   └── Silent        UNREACHABLE     somebody listens there, and does not answer
├── NoSuchSession     NO_SESSION      a name that no session here has, or several
├── TimedOut          TIMED_OUT       what a command waited for did not come in time
├── Declined          DECLINED        somebody was asked whether to go on, and did not say yes
├── LaunchFailed      LAUNCH_FAILED   the command could not be started
├── CannotRecord      CANNOT_RECORD   the file of a recording cannot be made
├── BadRecording      BAD_RECORDING   a file that is no recording, or one of another format
└── ConfigError       CONFIG          a setting or a file of settings is wrong
"""

from collections.abc import Mapping


class CoopError(Exception):
    """Anything coop reports to a caller. The text says what was expected, what came and what to do."""

    code = "INTERNAL"

    @property
    def message(self) -> str:
        return str(self)


class BadRequest(CoopError):
    code = "BAD_REQUEST"


class Unauthorized(CoopError):
    code = "UNAUTHORIZED"


class Forbidden(CoopError):
    code = "FORBIDDEN"


class SelfAnswer(Forbidden):
    code = "SELF_ANSWER"


class NotFound(CoopError):
    code = "NOT_FOUND"


class NotAllowed(CoopError):
    code = "METHOD_NOT_ALLOWED"


class TooLarge(CoopError):
    code = "TOO_LARGE"


class NotReady(CoopError):
    code = "NOT_READY"


class Exited(CoopError):
    code = "EXITED"


class WriterBusy(CoopError):
    code = "WRITER_BUSY"


class NoDriver(CoopError):
    code = "NO_DRIVER"


class NotNow(CoopError):
    """The agent is not in the state for it; nothing was typed, or nothing is known of what was."""

    def __init__(self, message: str, reason: str, state: str, more: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.state = state
        self.more = more or {}
        """A receipt to ask after, or the lines on the screen."""


class AgentBusy(NotNow):
    code = "AGENT_BUSY"


class NoPrompt(NotNow):
    code = "NO_PROMPT"


class Unverified(NotNow):
    code = "UNVERIFIED"


class DraftPresent(NotNow):
    code = "DRAFT_PRESENT"


class ExitedMeanwhile(Exited, NotNow):
    """The receipt says whether the message was sent."""


class PromptChanged(NotNow):
    code = "PROMPT_CHANGED"


class Unrecognized(NotNow):
    code = "DIALOG_UNRECOGNIZED"


class MessageTooLong(CoopError):
    code = "MESSAGE_TOO_LONG"


class KeyReused(CoopError):
    code = "KEY_REUSED"


class NotOurs(CoopError):
    code = "NOT_OURS"


class Lagged(CoopError):
    code = "LAGGED"


class Internal(CoopError):
    code = "INTERNAL"


class Unreachable(CoopError):
    code = "UNREACHABLE"


class Silent(Unreachable):
    """Its coop was stopped, or hangs, or is that slow."""

    def __init__(self, message: str, socket: str | None) -> None:
        super().__init__(message)
        self.socket = socket
        """The path of its Unix socket, where it has one."""


class NoSuchSession(CoopError):
    code = "NO_SESSION"


class TimedOut(CoopError):
    code = "TIMED_OUT"


class Declined(CoopError):
    code = "DECLINED"


class LaunchFailed(CoopError):
    code = "LAUNCH_FAILED"


class CannotRecord(CoopError):
    code = "CANNOT_RECORD"


class BadRecording(CoopError):
    code = "BAD_RECORDING"


class ConfigError(CoopError):
    code = "CONFIG"
