"""The code of the book and of the README, block by block. `cargo ci` writes each into a file, whose first line says where it is from."""

import inspect
import os
import re
import shutil
import textwrap
import threading
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import mujoco
import mujoco.viewer
import numpy
import polars
import pyarrow
import pymunk
import pytest

import arm
import evenstep

os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
import pygame  # noqa: E402  (after its settings)

SAMPLE = Path(__file__).parents[3] / "docs" / "my-game.csv"
ARM = "<mujoco><worldbody><body><joint type='hinge' axis='0 1 0'/><geom size='.1' pos='.5 0 0'/></body></worldbody></mujoco>"
FOLDER = Path(os.environ.get("EVENSTEP_SNIPPETS", "there is no such folder"))
# cluster_test.py runs that of a cluster.
FILES = sorted(file for file in FOLDER.glob("*.py") if "LocalCluster" not in file.read_text())


def move_and_type(refused: list[str]) -> None:
    """More moves of a mouse than pygame's queue has places, with keys among them; then the window is closed."""
    try:
        for move in range(70_000):
            pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=(0, 0), rel=(1, 1), buttons=(0, 0, 0)))
            if move % 100 == 0:
                pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE))
                pygame.time.wait(1)
    except pygame.error as error:
        refused.append(str(error))
    while pygame.get_init() and pygame.display.get_init():
        pygame.event.clear()
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        pygame.time.wait(100)


class Viewer:
    """A viewer of MuJoCo without a window, which has the methods of the real one."""

    def __init__(self, frames: int) -> None:
        handle = create_autospec(mujoco.viewer.Handle, instance=True)
        handle.is_running.side_effect = [True] * frames + [False]
        handle.lock.return_value = nullcontext()
        handle.__enter__.return_value = handle
        self.handle = handle
        self.launch_passive = create_autospec(mujoco.viewer.launch_passive, return_value=handle)


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
    if "pygame.event" in code:
        refused: list[str] = []
        hand = threading.Thread(target=move_and_type, args=(refused,), daemon=True)
        hand.start()
    viewer = Viewer(frames=30)
    monkeypatch.setattr(mujoco.viewer, "launch_passive", viewer.launch_passive)
    taken: list[float] = []
    drawn: list[float] = []
    frames = iter(range(100))
    names: dict[str, Any] = {
        "chain": evenstep.analyze("my-game.csv").main,
        "running": lambda: next(frames, None) is not None,
        "space": space,
        "bodies": bodies,
        "model": mujoco.MjModel.from_xml_string(ARM),
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
    if "pygame.event" in code:
        pygame.quit()
        hand.join()
        assert not refused and names["game"].input.counts.refused == 0
    if "mujoco" in code:
        assert viewer.handle.sync.call_count == 30
        assert names["timestep"].tick > 10


def test_the_examples_of_help_run() -> None:
    simulation = arm.Simulation()
    timestep, poses, game = evenstep.FixedTimestep(60), evenstep.Poses2(), evenstep.GameLoop(60)
    timestep.begin_frame(0)
    frame = timestep.begin_frame(20_000_000)
    states = numpy.array([[0, 0, 1, 0]], numpy.float32)
    poses.commit(states)
    seen: list[str] = []
    names: dict[str, Any] = {
        **vars(evenstep),
        **{module.__name__: module for module in (evenstep, mujoco, polars, pyarrow, pygame, time)},
        **{"model": simulation.model, "data": simulation.data, "drawn": simulation.drawn, "previous": simulation.previous},
        **{"states": states, "speed": 3.0, "out": numpy.zeros((1, 4), numpy.float32)},
        **dict.fromkeys(("simulate", "draw", "run"), lambda *_: None),
        **{"timestep": timestep, "frame": frame, "step": next(iter(frame)), "poses": poses, "play": seen.append},
        "chain": evenstep.analyze(SAMPLE).main,
        "game": game,
        "queue": evenstep.EventQueue(),
        "schedule": evenstep.Schedule(),
    }
    count = 0
    for name in evenstep.__all__:
        help_text = inspect.getdoc(getattr(evenstep, name)) or ""
        for example in re.findall(r"(?:^    .*\n?)+", help_text, re.MULTILINE):
            exec(compile(textwrap.dedent(example), name, "exec"), dict(names))
            count += 1
    assert count >= 10
    names["frame"] = timestep.advance(0.05)
    exec("seen = queue.due(frame)", names)
    assert seen == [] and names["seen"] == [(0, "jump")]
