"""Events without a time, and with a time older than the last frame, by clocks that begin at any time; and a machine that is too slow."""

import pytest
from evenstep import FixedTimestep, GameLoop, InputBuffer

# Nanoseconds at which the first frame may be: since the program began, since the machine did, and since 1970.
BEGINS = (0, 1, 3_000_000, 7_000_000_000, 3_456_000_000_000_000, 1_790_000_000_000_000_000)


def taps_seen(begin: int, at: int | None) -> tuple[int, float, int, int]:
    game = GameLoop(60)
    game.input.press(9)  # while the game loads
    seen, moved = 0, 0.0
    for frame in range(101):
        if frame == 40:
            game.pause()
        if frame == 69:
            game.resume()
        if frame > 0 and frame % 10 == 5:
            if at is None:
                game.input.press(1)
                game.input.release(1)
                game.input.motion(3.0, 0.0)
                game.input.wheel(0.0, 1.0)
            else:
                game.input.press_at(at, 1)
                game.input.release_at(at, 1)
        for step in game.begin_frame(begin + frame * 17_000_000):
            controls = game.input.controls(step)
            seen += controls.presses(1)
            moved += controls.motion[0]
            assert controls.is_held_at_end(9) and controls.presses(9) == 0
    return seen, round(moved, 6), game.input.counts.late, game.input.counts.foreign


@pytest.mark.parametrize("begin", BEGINS)
def test_a_press_without_a_time_acts_in_the_next_step_by_any_clock(begin: int) -> None:
    assert taps_seen(begin, None) == (7, 21.0, 0, 0)  # three taps were in the pause


@pytest.mark.parametrize("begin", BEGINS)
def test_a_press_of_long_ago_acts_in_the_next_step_by_any_clock_and_one_of_another_clock_is_counted(begin: int) -> None:
    seen, _, late, foreign = taps_seen(begin, 0)
    assert (seen, late) == (10, 20)
    assert foreign == 20 or begin < 2_000_000_000


def test_a_call_without_a_time_refuses_one() -> None:
    keys = InputBuffer()
    for call in (keys.press, keys.release):
        with pytest.raises(TypeError):
            call(1, 5)  # type: ignore[call-arg]


def slow(game: FixedTimestep, cost: float) -> tuple[float, float, float]:
    """A machine on which a step takes this part of what it simulates, and drawing 4 ms: frames a second, speed, and seconds lost a second."""
    now, steps, frames, lost = 7_000_000_000, 0, 0, 0
    while now < 37_000_000_000:
        frame = game.begin_frame(now)
        now += int(len(frame) * cost * 1e9 / 60) + 4_000_000
        steps, frames, lost = steps + len(frame), frames + 1, lost + frame.lost.clamped
    return frames / 30, steps / 60 / 30, lost / 30e9


@pytest.mark.parametrize(("cost", "frames", "speed"), [(1.0, 9.6, 0.96), (1.05, 9.1, 0.92), (1.2, 8.0, 0.81), (2.0, 4.9, 0.49)])
def test_a_loop_goes_on_drawing_where_steps_take_longer_than_they_simulate(cost: float, frames: float, speed: float) -> None:
    seen = slow(GameLoop(60), cost)
    assert seen[0] == pytest.approx(frames, abs=0.7) and seen[1] == pytest.approx(speed, abs=0.02)
    assert seen[1] + seen[2] == pytest.approx(1.0, abs=0.01)
    patient = GameLoop(60)
    patient.set_max_delta(0.25)
    assert slow(patient, cost)[0] < seen[0]
    assert slow(FixedTimestep(60), cost)[0] < seen[0]


def test_a_loop_that_keeps_time_has_no_limit_and_one_that_drops_it_again_has() -> None:
    game = GameLoop(60)
    game.begin_frame(0)
    game.set_overrun(("carry", 10.0))
    assert game.begin_frame(2_000_000_000).lost.clamped == 0
    game.set_overrun("drop")
    assert 1_890_000_000 < game.begin_frame(4_000_000_000).lost.clamped < 1_910_000_000
