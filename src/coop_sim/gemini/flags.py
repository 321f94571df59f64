"""Gemini's flags, as far as they matter to a driver."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from coop_sim.gemini.versions import LATEST, VERSIONS

BAD_INPUT = 42
UNTRUSTED = 55
_MODES = ("default", "auto_edit", "yolo", "plan")


class BadFlags(Exception):
    """It does not start; the message says why."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Options:
    cwd: Path
    env: Mapping[str, str]
    version: str = LATEST
    scenario: Path | None = None
    prompt: str | None = None
    """Of `-p`: answered without a terminal."""
    first: str | None = None
    """Of `-i`: the first prompt of a session."""
    output: str = "text"
    session_id: str | None = None
    resume: str | None = None
    model: str | None = None
    """`None`: it chooses one for each prompt."""
    mode: str = "default"
    skips_trust: bool = False
    shows_version: bool = False


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadFlags(f"gemini: {message}")


def _parser() -> ArgumentParser:
    parser = _Parser(prog="gemini", description=__doc__)
    parser.add_argument("query", nargs="*")
    parser.add_argument("--sim-version", choices=VERSIONS, default=LATEST)
    parser.add_argument("--scenario", type=Path)
    parser.add_argument("-p", "--prompt")
    parser.add_argument("-i", "--prompt-interactive")
    parser.add_argument("-o", "--output-format", choices=("text", "json", "stream-json"), default="text")
    parser.add_argument("--session-id")
    parser.add_argument("-r", "--resume", nargs="?", const="latest")
    parser.add_argument("-m", "--model")
    parser.add_argument("--approval-mode", choices=_MODES, default="default")
    parser.add_argument("-y", "--yolo", action="store_true")
    parser.add_argument("--skip-trust", action="store_true")
    parser.add_argument("-v", "--version", action="store_true")
    return parser


def read_flags(arguments: Sequence[str], env: Mapping[str, str], cwd: Path) -> Options:
    given = _parser().parse_args(arguments)
    return Options(
        cwd=cwd,
        env=env,
        version=given.sim_version,
        scenario=given.scenario,
        prompt=given.prompt,
        first=given.prompt_interactive or " ".join(given.query) or None,
        output=given.output_format,
        session_id=given.session_id,
        resume=given.resume,
        model=given.model or env.get("GEMINI_MODEL"),
        mode="yolo" if given.yolo else given.approval_mode,
        skips_trust=given.skip_trust,
        shows_version=given.version,
    )
