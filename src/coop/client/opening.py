"""What `connect` and `spawn` give back: a session that `with` opens, and that is none before."""

from contextlib import AbstractAsyncContextManager, AbstractContextManager
from types import TracebackType
from typing import Generic, NoReturn, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Opening(AbstractAsyncContextManager[T_co]):
    def __init__(self, inner: AbstractAsyncContextManager[T_co]) -> None:
        self._inner = inner

    async def __aenter__(self) -> T_co:
        return await self._inner.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._inner.__aexit__(kind, error, trace)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"no session is open yet, so it has no {name!r}: write `async with … as session`, "
            "or without await `with coop.client.blocking.connect(…) as session`"
        )


class BlockingOpening(AbstractContextManager[T_co], Generic[T_co]):
    def __init__(self, inner: AbstractContextManager[T_co]) -> None:
        self._inner = inner

    def __enter__(self) -> T_co:
        return self._inner.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._inner.__exit__(kind, error, trace)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"no session is open yet, so it has no {name!r}: write `with … as session`")
