"""The code of the book and of the README, block by block. `cargo ci` writes each into a file, whose first line says where it is from."""

import os
import shutil
from pathlib import Path
from typing import Any

import pymunk
import pytest

import evenstep

os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
import pygame  # noqa: E402  (after its settings)

SAMPLE = Path(__file__).parents[3] / "docs" / "my-game.csv"
FILES = sorted(Path(os.environ.get("EVENSTEP_SNIPPETS", "there is no such folder")).glob("*.py"))


class Running:
    """True for thirty frames of 17 ms: what the loop of a page asks."""

    frames = 30

    def __bool__(self) -> bool:
        self.frames -= 1
        pygame.time.wait(17)
        return self.frames >= 0


@pytest.mark.skipif("EVENSTEP_SNIPPETS" not in os.environ, reason="cargo ci --only Python writes the code of the pages")
def test_there_is_code_to_run() -> None:
    assert len(FILES) >= 4


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.read_text().partition("\n")[0][2:])
def test_the_code_of_the_page_runs(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(SAMPLE, tmp_path)
    monkeypatch.chdir(tmp_path)
    pygame.init()
    pygame.display.set_mode((64, 64))
    first, _, code = file.read_text().partition("\n")
    page, _, line = first[2:].rpartition(":")
    space = pymunk.Space()
    bodies = [pymunk.Body(1, 1) for _ in range(3)]
    space.add(*bodies)
    taken: list[float] = []
    drawn: list[float] = []
    names: dict[str, Any] = {
        "chain": evenstep.analyze("my-game.csv").main,
        "space": space,
        "bodies": bodies,
        "running": Running(),
        "simulate": taken.append,
        "draw": drawn.append,
    }
    # The lines of an error are those of the page.
    padding = "\n" * (int(line) - 1)
    exec(compile(padding + code, page, "exec"), names)
    if "draw(frame.alpha)\n" in code and "poses" not in code:
        assert drawn
    if "poses.draw" in code:
        assert names["frame"].tick > 10
        assert names["drawn"].any()
