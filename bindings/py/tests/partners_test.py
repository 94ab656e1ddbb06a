"""pygame, pymunk and Gymnasium in equal steps: the same end at every frame rate."""

import math
import os
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pymunk
import pytest

from evenstep import FixedTimestep, InputBuffer, Poses2

os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
import pygame  # noqa: E402  (after its settings)

SECOND = 1_000_000_000
FRAME_RATES = [24, 60, 75, 144, 1000]


def frames(rate: int, seconds: int) -> Iterator[int]:
    """The times of a display's frames."""
    return (frame * SECOND // rate for frame in range(rate * seconds + 1))


def falling(rate: int) -> tuple[int, list[tuple[float, ...]]]:
    """Boxes of pymunk that fall onto each other."""
    space, timestep, poses = pymunk.Space(), FixedTimestep(120), Poses2()
    space.gravity = (0, -981)
    floor = pymunk.Segment(space.static_body, (-200, 0), (200, 0), 2)
    floor.friction = 0.8
    space.add(floor)
    bodies = []
    for index in range(6):
        body = pymunk.Body(1, pymunk.moment_for_box(1, (20, 20)))
        body.position = (index * 4, 30 + 25 * index)
        box = pymunk.Poly.create_box(body, (20, 20))
        box.friction = 0.6
        space.add(body, box)
        bodies.append(body)

    def states() -> np.ndarray[Any, Any]:
        rows = [(*body.position, math.cos(body.angle), math.sin(body.angle)) for body in bodies]
        return np.array(rows, dtype=np.float32)

    poses.commit(states())
    drawn = np.empty((len(bodies), 4), dtype=np.float32)
    for now in frames(rate, 2):
        frame = timestep.begin_frame(now)
        for step in frame:
            space.step(step.dt)
            poses.commit(states())
        poses.draw(frame.alpha, drawn)
        assert np.isfinite(drawn).all()
    return timestep.tick, [(*body.position, body.angle, *body.velocity) for body in bodies]


def test_pymunk_ends_in_the_same_state_to_the_bit_at_every_frame_rate() -> None:
    ends = [falling(rate) for rate in FRAME_RATES]
    assert ends[0][0] == 240
    assert all(end == ends[0] for end in ends)


def jumps(rate: int) -> tuple[float, float, int, pygame.Surface]:
    """A pygame loop: a box that runs while a key is held and jumps when one is pressed, with events at the same times."""
    screen = pygame.Surface((160, 90))
    timestep, keys = FixedTimestep(60), InputBuffer()
    script = [
        (105_000_000, pygame.KEYDOWN, pygame.K_RIGHT),
        (400_000_000, pygame.KEYDOWN, pygame.K_SPACE),
        (402_000_000, pygame.KEYUP, pygame.K_SPACE),
        (900_000_000, pygame.KEYUP, pygame.K_RIGHT),
    ]
    x = previous_x = 10.0
    y = speed = 0.0
    jumped = 0
    for now in frames(rate, 2):
        while script and script[0][0] <= now:
            time, kind, key = script.pop(0)
            pygame.event.post(pygame.event.Event(kind, key=key, time=time))
        for event in pygame.event.get():
            if event.type == pygame.KEYDOWN:
                keys.press_at(event.time, event.key)
            elif event.type == pygame.KEYUP:
                keys.release_at(event.time, event.key)
        frame = timestep.begin_frame(now)
        keys.begin_frame(timestep)
        for step in frame:
            controls = keys.controls(step)
            previous_x = x
            if controls.presses(pygame.K_SPACE) and y == 0:
                speed, jumped = 120.0, jumped + 1
            x += 60 * step.dt * controls.is_held_at_end(pygame.K_RIGHT)
            speed -= 300 * step.dt
            y = max(y + speed * step.dt, 0.0)
        screen.fill("black")
        drawn = previous_x + (x - previous_x) * frame.alpha
        pygame.draw.rect(screen, "white", (round(drawn), 70 - round(y), 10, 10))
    return x, y, jumped, screen


def test_a_pygame_loop_plays_the_same_at_every_frame_rate() -> None:
    pygame.init()
    pygame.display.set_mode((160, 90))
    ends = [jumps(rate) for rate in FRAME_RATES]
    states = [end[:3] for end in ends]
    assert states[0][2] == 1 and 50 < states[0][0] < 65
    assert all(state == states[0] for state in states)
    pictures = {pygame.image.tobytes(end[3], "RGB") for end in ends}
    assert len(pictures) == 1
    pygame.quit()


def episode(rate: int) -> tuple[int, Any]:
    """CartPole, which has steps of 1/50 s, by a simple policy, shown at some frame rate."""
    env = gymnasium.make("CartPole-v1")
    observation, _ = env.reset(seed=7)
    timestep, is_over = FixedTimestep(50), False
    for now in frames(rate, 3):
        for _ in timestep.begin_frame(now):
            if not is_over:
                push = int(observation[2] + 0.5 * observation[3] > 0)
                observation, _, is_over, _, _ = env.step(push)
    env.close()
    return timestep.tick, observation.tolist()


def test_a_gymnasium_environment_is_where_it_should_be_at_every_frame_rate() -> None:
    ends = [episode(rate) for rate in FRAME_RATES]
    assert ends[0][0] == 150
    assert all(end == ends[0] for end in ends)


@pytest.mark.parametrize("rate", FRAME_RATES)
def test_an_environment_that_is_drawn_between_steps_moves_evenly(rate: int) -> None:
    # A cart at constant speed: each picture moves it on by the time since the last.
    timestep, poses, drawn = FixedTimestep(50), Poses2(), np.empty((1, 4), dtype=np.float32)
    poses.commit(np.zeros(4, np.float32))
    seen = []
    for now in frames(rate, 1):
        frame = timestep.begin_frame(now)
        for step in frame:
            poses.commit(np.array([step.tick + 1, 0, 1, 0], dtype=np.float32))
        poses.draw(frame.alpha, drawn)
        seen.append(float(drawn[0, 0]))
    moved = np.diff([place for place in seen if place > 0])
    np.testing.assert_allclose(moved, 50 / rate, rtol=1e-2, atol=1e-4)
