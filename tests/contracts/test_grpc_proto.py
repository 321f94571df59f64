"""The protobuf is seed 001's: what stands in its section 4 stands in ours, and what is new has new names and numbers."""

from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc

from coop.v1.coop_pb2 import DESCRIPTOR

SEED = Path(__file__).with_name("seed_001.proto")


def compiled(path: Path, to: Path) -> FileDescriptorProto:
    assert protoc.main(["protoc", f"-I{path.parent}", f"--descriptor_set_out={to}", path.name]) == 0
    return FileDescriptorSet.FromString(to.read_bytes()).file[0]


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> FileDescriptorProto:
    return compiled(SEED, tmp_path_factory.mktemp("proto") / "seed.bin")


@pytest.fixture(scope="module")
def ours() -> FileDescriptorProto:
    found = FileDescriptorProto()
    DESCRIPTOR.CopyToProto(found)
    return found


def fields(message: Any) -> set[tuple[object, ...]]:
    return {(f.number, f.name, f.type, f.type_name, f.label, f.proto3_optional) for f in message.field}


def test_every_message_of_the_seed_has_its_fields(seed: FileDescriptorProto, ours: FileDescriptorProto) -> None:
    kept = {message.name: message for message in ours.message_type}
    assert len(seed.message_type) == 28
    for message in seed.message_type:
        assert fields(message) <= fields(kept[message.name]), message.name
        assert list(message.enum_type) == list(kept[message.name].enum_type)


def test_every_rpc_of_the_seed_is_there(seed: FileDescriptorProto, ours: FileDescriptorProto) -> None:
    assert (ours.package, ours.service[0].name) == (seed.package, seed.service[0].name) == ("coop.v1", "Coop")
    assert list(ours.service[0].method)[: len(seed.service[0].method)] == list(seed.service[0].method)
    assert len(seed.service[0].method) == 13


def test_what_is_served_was_generated_from_what_is_published(ours: FileDescriptorProto, tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "proto/coop/v1/coop.proto"
    published = compiled(source, tmp_path / "ours.bin")
    assert [(each.name, fields(each)) for each in published.message_type] == [
        (each.name, fields(each)) for each in ours.message_type
    ]
    assert list(published.service) == list(ours.service)
