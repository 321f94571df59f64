"""Dialogs that are asked at the same time."""

import asyncio

import pytest

from coop_sim.claude.answers import Allow, Deny
from coop_sim.claude.dialogs import Dialogs
from coop_sim.claude.keys import Text
from coop_sim.claude.menu import Menu, Option

OPTIONS = (Option("Yes", Allow()), Option("No", Deny()))


def menu(name: str) -> Menu:
    return Menu(("────", f" {name}", "Proceed?"), OPTIONS, "", Deny())


@pytest.mark.parametrize("shows_last", [True, False])
def test_one_is_shown_and_hears_the_keys(*, shows_last: bool) -> None:
    async def ask() -> None:
        dialogs = Dialogs(shows_last, has_stale_focus=False, counts=not shows_last)
        first, second = dialogs.add(menu("first"), 0.0), dialogs.add(menu("second"), 0.0)
        shown, other = (second, first) if shows_last else (first, second)
        view = dialogs.view()
        assert view is not None
        assert view.rows(30)[1].rstrip() == (" second" if shows_last else " first" + " " * 17 + "1 of 2")
        assert dialogs.press((Text("1"), Text("x")), 1.0) == (Text("x"),)
        assert (shown.answer.result(), other.answer.done()) == (Allow(), False)
        dialogs.close(shown)
        assert dialogs.shown is other
        after = dialogs.view()
        assert after is not None
        assert after.rows(30)[1].endswith("2 of 2") is not shows_last

    asyncio.run(ask())


def test_one_that_was_held_back_is_deaf_for_a_moment() -> None:
    async def ask() -> None:
        dialogs = Dialogs(shows_last=False, has_stale_focus=False, counts=True)
        opened = dialogs.add(menu("only"), 5.0)
        assert dialogs.press((Text("1"),), 4.9) == ()
        assert not opened.answer.done()
        dialogs.press((Text("2"),), 5.1)
        assert opened.answer.result() == Deny()

    asyncio.run(ask())
