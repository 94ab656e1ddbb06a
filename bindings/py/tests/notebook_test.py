"""The notebook of the book runs from top to bottom, and draws its picture."""

import shutil
from pathlib import Path

import nbformat
from nbclient import NotebookClient

BOOK = Path(__file__).parents[3] / "docs"
NOTEBOOK = Path("pages") / "stutter.ipynb"


def test_the_notebook_of_the_book_names_the_stutter(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    shutil.copy(BOOK / "my-game.csv", tmp_path)
    notebook = nbformat.read(BOOK / NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not kept in the repository"
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    text = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
    assert "uneven-frames" in text and "filter the deltas" in text
    assert (folder / "stutter.png").read_bytes().startswith(b"\x89PNG")
