"""The notebook of the book runs from top to bottom, and draws its picture."""

import json
import shutil
from pathlib import Path
from typing import Any

import matplotlib
import pytest

BOOK = Path(__file__).parents[3] / "docs"


def test_the_notebook_of_the_book_names_the_stutter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    shutil.copy(BOOK / "my-game.csv", tmp_path)
    monkeypatch.chdir(folder)
    matplotlib.use("agg")
    cells = json.loads((BOOK / "pages" / "stutter.ipynb").read_text())["cells"]
    assert not any(cell.get("outputs") for cell in cells), "outputs are not kept in the repository"
    names: dict[str, Any] = {}
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    text = capsys.readouterr().out
    assert "uneven-frames" in text and "filter the deltas" in text
    assert (folder / "stutter.png").read_bytes().startswith(b"\x89PNG")
