"""The Go example speaks to the API there is: its fields, routes and methods are held against it, and it is built where Go is."""

import re
from pathlib import Path

import msgspec
import pytest

from coop.client import CoopBackend
from coop.server.app import ROUTES
from coop.wire.errors import ErrorBody, ErrorReply
from coop.wire.http import AgentStateReply, NudgeRequest, RespondRequest
from coop.wire.states import PromptContext

FOLDER = Path(__file__).parents[2] / "examples/go-backend"
SOURCE = (FOLDER / "backend.go").read_text()
TYPES: dict[str, type[msgspec.Struct]] = {
    "AgentState": AgentStateReply,
    "Prompt": PromptContext,
    "NudgeRequest": NudgeRequest,
    "RespondRequest": RespondRequest,
    "Error": ErrorBody,
    "errorReply": ErrorReply,
}
SPELLED = {"string": "string", "uint64": "integer", "bool": "boolean", "map[string]any": "object", "[]string": "array"}


def structs() -> dict[str, dict[str, str]]:
    """Each type with JSON fields: their names, and their types in Go."""
    found: list[tuple[str, str]] = re.findall(r"type (\w+) struct \{\n(.+?)\n\}", SOURCE, re.DOTALL)
    fields = {name: re.findall(r'(\S+) +`json:"(\w+)"`', body) for name, body in found}
    return {name: {json: go for go, json in pairs} for name, pairs in fields.items() if pairs}


def test_every_type_with_fields_is_held_against_the_wire() -> None:
    assert set(structs()) == set(TYPES)


@pytest.mark.parametrize("name", TYPES)
def test_its_fields_are_those_of_the_wire(name: str) -> None:
    schema = msgspec.json.schema(TYPES[name])["$defs"][TYPES[name].__name__]["properties"]
    for field, go in structs()[name].items():
        assert field in schema
        kinds = {each.get("type") for each in schema[field].get("anyOf", [schema[field]])}
        expected = SPELLED.get(go.removeprefix("*"))
        assert expected is None or expected in kinds or "enum" in schema[field]


def test_its_routes_are_those_of_the_api() -> None:
    used = re.findall(r'b\.do\(http\.Method(\w+), "([^"]+)"', SOURCE)
    assert len(used) == 4
    assert {(method.upper(), path) for method, path in used} <= {(route.method, route.path) for route in ROUTES}


def test_it_has_the_methods_that_the_python_one_has() -> None:
    methods = re.findall(r"^func \(b \*Backend\) ([A-Z]\w+)\(", SOURCE, re.MULTILINE)
    snake = {re.sub(r"(?<!^)([A-Z])", r"_\1", method).lower() for method in methods}
    assert snake == {name for name in vars(CoopBackend) if not name.startswith("_")} - {"close"}
