"""The OpenAPI document, generated from the route table and the very types that decode requests."""

import re
from typing import Any

import msgspec

from coop import __version__
from coop.server.routes import NoQuery, Route
from coop.wire.errors import HTTP_STATUS, ErrorReply

_REF = "#/components/schemas/{name}"


def document(routes: tuple[Route, ...]) -> dict[str, Any]:
    types = [ErrorReply, *(kind for route in routes for kind in (route.reply, route.body) if isinstance(kind, type))]
    schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
    refs = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, refs)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Coop",
            "version": __version__,
            "description": "A terminal with an API: one agent, rendered, typed for and watched.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _operation(route: Route, refs: dict[type, dict[str, Any]]) -> dict[str, Any]:
    name = route.path.removeprefix("/api/v1/").strip("/").replace("/", "_").replace(".", "_")
    name = re.sub(r"_?{\w+}", "", name)
    operation: dict[str, Any] = {
        "operationId": f"{route.method.lower()}_{name}",
        "summary": route.summary,
        "parameters": [*_places(route.path), *_parameters(route.query)],
        "responses": {"200": {"description": "OK", "content": _content(route.reply, refs)}, **_errors(route, refs)},
    }
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": _content(route.body, refs)}
    return operation


def _content(kind: type | str, refs: dict[type, dict[str, Any]]) -> dict[str, Any]:
    if isinstance(kind, str):
        return {kind: {"schema": {"type": "string"}}}
    return {"application/json": {"schema": refs[kind]}}


def _errors(route: Route, refs: dict[type, dict[str, Any]]) -> dict[str, Any]:
    codes: dict[int, list[str]] = {}
    for code in ("UNAUTHORIZED", "FORBIDDEN", *route.errors):
        codes.setdefault(HTTP_STATUS[code], []).append(code)
    return {
        str(status): {"description": " or ".join(f"`{code}`" for code in named), "content": _content(ErrorReply, refs)}
        for status, named in sorted(codes.items())
    }


def _places(path: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"{(\w+)}", path)
    ]


def _parameters(query: type) -> list[dict[str, Any]]:
    if query is NoQuery:
        return []
    schema = msgspec.json.schema(query)["$defs"][query.__name__]
    return [{"name": name, "in": "query", "required": False, "schema": field} for name, field in schema["properties"].items()]
