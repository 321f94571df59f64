"""The index of the evidence says what its pages say, and hides no bar that was missed."""

from pathlib import Path

from bench.index import INDEX, PAGES, page

BARS = """# A campaign

Made by `python -m bench.x` at 1234567 (src/coop: abcdef0): python.

|  |  | bar |  |
| --- | ---: | ---: | ---: |
| rounds | 5 | ≥ 5 | met |
| key to echo | 3.05× | ≤ 1.5 | **missed** |
"""


def test_the_index_is_of_the_pages_that_are_there() -> None:
    assert INDEX.read_text() == page(PAGES), "run `python -m bench.index`"


def test_a_missed_bar_is_told_with_its_figure(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text(BARS)
    told = page(tmp_path)
    assert "| [A campaign](x.md) | abcdef0 | 1 | 1 |" in told
    assert "- [x.md](x.md): key to echo: 3.05× (bar ≤ 1.5)" in told


def test_with_nothing_missed_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text(BARS.replace("**missed**", "met"))
    assert page(tmp_path).endswith("## Missed\n\nNone.\n")
