from coop.terminal import ghostty_abi


def test_the_library_is_there_and_of_the_declared_shape() -> None:
    assert ghostty_abi.ffi.sizeof("CoopPoint") == ghostty_abi.ffi.sizeof("GhosttyPoint")


def test_the_build_has_precompiled_the_declarations() -> None:
    from coop.terminal import _ghostty_abi

    assert ghostty_abi.ffi is _ghostty_abi.ffi
