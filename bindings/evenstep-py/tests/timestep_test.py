"""Equal steps: what a loop in Python meets beyond the conformance script."""

import pickle
import re
from array import array
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import evenstep
from evenstep import (
    Error,
    EventQueue,
    FixedTimestep,
    FrameStats,
    InputBuffer,
    Poses2,
    Poses3,
    Schedule,
    Smoothed,
)

SECOND = 1_000_000_000


def test_a_frame_iterates_over_its_steps() -> None:
    timestep = FixedTimestep(100)
    assert list(timestep.begin_frame(5 * SECOND)) == []
    frame = timestep.begin_frame(5 * SECOND + 25_000_000)
    assert [(step.tick, step.dt) for step in frame] == [(0, 0.01), (1, 0.01)]
    assert (len(frame), frame.first_tick, frame.tick, frame.alpha) == (2, 0, 2, 0.5)
    assert timestep.overstep == Fraction(1, 200)


def test_a_frame_without_steps_is_true() -> None:
    assert FixedTimestep(60).begin_frame(0)


def test_seconds_and_nanoseconds_are_the_same_time() -> None:
    by_seconds, by_nanos = FixedTimestep(60), FixedTimestep(60)
    for now in (0.0, 0.1, 0.25):
        one, other = by_seconds.begin_frame(now), by_nanos.begin_frame(round(now * SECOND))
        assert (one.tick, one.alpha) == (other.tick, other.alpha)
    frame = by_nanos.begin_frame(np.int64(SECOND // 2))
    assert frame.tick == by_seconds.begin_frame(np.float64(0.5)).tick == 30


def test_an_int_delta_is_refused_because_it_could_be_milliseconds() -> None:
    with pytest.raises(TypeError, match="clock.tick"):
        FixedTimestep(60).advance(16)


def test_a_scale_that_was_measured_is_taken_to_the_nearest_ratio() -> None:
    for scale in (59.997 / 59.7275, 1e-5, 0.1):
        timestep = FixedTimestep(60, time_scale=scale, max_delta=100.0)
        timestep.begin_frame(0)
        timestep.begin_frame(100 * SECOND)
        assert float(timestep.tick / Fraction(60) + timestep.overstep) == pytest.approx(100 * scale, rel=1e-9)


def test_rates_are_taken_as_they_are_written() -> None:
    for rate in (59.94, Fraction(5994, 100), (2997, 50)):
        timestep = FixedTimestep(rate)
        timestep.begin_frame(0)
        timestep.begin_frame(SECOND // 10)
        assert timestep.current_time % Fraction(50, 2997) == 0


def test_bad_settings_say_what_to_give() -> None:
    with pytest.raises(Error, match="rate"):
        FixedTimestep(0)
    with pytest.raises(Error, match="rate"):
        FixedTimestep(float("nan"))
    with pytest.raises(TypeError, match="a rate is a number"):
        FixedTimestep("fast")  # type: ignore[arg-type]
    with pytest.raises(Error, match="drop"):
        FixedTimestep(60, overrun="skip")  # type: ignore[arg-type]
    with pytest.raises(Error, match="display-clock"):
        FixedTimestep(60, filters=["smooth"])  # type: ignore[list-item]
    with pytest.raises(Error, match="from 0 to"):
        FixedTimestep(60).begin_frame(-1)


def test_an_error_has_a_code_for_programs() -> None:
    timestep, schedule = FixedTimestep(60), Schedule()
    timestep.begin_frame(2 * SECOND)
    calls: dict[str, Callable[[], object]] = {
        "Negative": lambda: timestep.advance(-1.0),
        "NotFinite": lambda: timestep.advance(float("inf")),
        "Ratio": lambda: FixedTimestep(0),
        "Range": lambda: InputBuffer(capacity=0),
        "Size": lambda: Poses2().draw(0.5, np.zeros((2, 4), dtype=np.float32)),
        "Missing": lambda: schedule.alpha(3),
        "Order": lambda: FixedTimestep(60).current_time,
        "TimeWentBack": lambda: timestep.begin_frame(0),
    }
    for code, call in calls.items():
        with pytest.raises(Error) as raised:
            call()
        assert raised.value.code == code
        assert pickle.loads(pickle.dumps(raised.value)).code == code


def test_a_wrong_argument_is_told_what_is_wanted_in_the_words_of_python() -> None:
    timestep, keys, poses, queue = FixedTimestep(60), InputBuffer(), Poses2(), EventQueue[str]()
    wrong: list[Any] = ["text", b"x", None, 1.5, -1, 1 << 40, 1 << 80, [], (1, 2, 3), {}, object()]
    calls: list[Callable[[Any], object]] = [
        lambda it: FixedTimestep(it),
        lambda it: FixedTimestep(60, filters=it),
        lambda it: FixedTimestep(60, filters=[it]),
        lambda it: FixedTimestep(60, overrun=it),
        lambda it: FixedTimestep(60, overrun=("carry", it)),
        lambda it: FixedTimestep(60, overrun=("stretch", it)),
        lambda it: FixedTimestep(60, max_steps=it),
        lambda it: FixedTimestep(60, time_scale=it),
        lambda it: timestep.begin_frame(it),
        lambda it: timestep.advance(it),
        lambda it: timestep.give_back(it),
        lambda it: keys.press(it, 0),
        lambda it: keys.press(1, it),
        lambda it: keys.is_held(it),
        lambda it: keys.begin_step(it),
        lambda it: InputBuffer(capacity=it),
        lambda it: queue.emit(it, "x"),
        lambda it: queue.retract_from(it),
        lambda it: EventQueue(capacity=it),
        lambda it: poses.teleport(it),
        lambda it: poses.commit(it),
        lambda it: poses.draw(0.5, it),
        lambda it: Schedule().alpha(it),
        lambda it: Schedule().add(it),
        lambda it: Schedule().add(60, phase=it),
        lambda it: evenstep.analyze(it),
        lambda it: evenstep.simulate(b"16\n17\n", rate=it),
        lambda it: evenstep.simulate(b"16\n17\n", display=it),
    ]
    messages = set()
    for call in calls:
        for it in wrong:
            try:
                call(it)
            except (ValueError, TypeError, OverflowError, OSError) as error:
                messages.add(str(error))
    assert len(messages) > 30
    inside = re.compile(r"extract|variant|enum|Choice|Option<|Vec<|u32|u64|usize|out of range integral|PyAny|unsigned")
    assert [message for message in messages if inside.search(message)] == []


def test_time_that_goes_back_by_more_than_a_second_is_refused_and_changes_nothing() -> None:
    timestep = FixedTimestep(60)
    timestep.begin_frame(2 * SECOND)
    with pytest.raises(Error, match="begin_frame: the time is earlier"):
        timestep.begin_frame(SECOND - 1)
    assert timestep.begin_frame(SECOND).tick == 0
    assert timestep.begin_frame(2 * SECOND + 50_000_000).tick == 3


def test_poses_are_drawn_between_states_of_numpy() -> None:
    poses = Poses2()
    for row in range(3):
        assert poses.add(row, 0) == row
    states = np.tile(np.array([0, 1, 1, 0], dtype=np.float32), (3, 1))
    states[:, 0] = [10, 11, 12]
    poses.commit(states)
    drawn = np.empty((3, 4), dtype=np.float32)
    poses.draw(0.5, drawn)
    np.testing.assert_array_equal(drawn[:, :2], [[5, 0.5], [6, 0.5], [7, 0.5]])
    poses.teleport(0)
    poses.commit(np.asfortranarray(states.astype(np.float64) + [10, 0, 0, 0]))
    poses.draw(0.25, drawn)
    np.testing.assert_array_equal(drawn[:, 0], [20, 13.5, 14.5])


@pytest.mark.parametrize(("kind", "floats", "matrix"), [(Poses2, 4, 6), (Poses3, 7, 16)])
def test_arrays_of_every_layout_are_taken_rightly_or_refused(
    kind: type[Poses2] | type[Poses3], floats: int, matrix: int
) -> None:
    """Of arrays in other shapes and orders of bytes nothing is read and nothing is written."""
    random = np.random.default_rng(60_000)
    for rows in (1, 2, 3, floats, matrix):
        states = np.tile(np.array([1, 0, 0, 0, 0, 0, 1], dtype=np.float32)[-floats:], (rows, 1))
        states[:, 0] = random.uniform(-9, 9, rows)
        poses = kind()
        for _ in range(rows):
            poses.add(0, 0) if isinstance(poses, Poses2) else poses.add(0, 0, 0)
        calls = ((poses.draw, floats), (poses.draw_matrices, matrix))
        drawn = np.empty((rows, floats), dtype=np.float32)
        for order in "<>=":
            for bits in (4, 8):
                given = states.astype(f"{order}f{bits}")
                shapes: list[tuple[int, ...]] = [(rows, floats), (rows * floats,), (rows, 1, floats)]
                wrong = [(floats, rows), (1, rows * floats), (rows * floats, 1)]
                wrong = [shape for shape in wrong if shape[0] != rows]
                for shape in shapes + wrong:
                    array = given.reshape(shape)
                    if shape in wrong or not array.dtype.isnative:
                        with pytest.raises((Error, TypeError), match="shape is|order of another machine"):
                            poses.commit(array)
                        continue
                    poses.commit(array)
                    poses.draw(1.0, drawn)
                    np.testing.assert_array_equal(drawn, states)
            for draw, width in calls:
                for shape in ((rows, width), (rows * width,), (width, rows), (1, rows * width)):
                    out = np.full(shape, 77, dtype=f"{order}f4")
                    if out.dtype.isnative and (len(shape) == 1 or shape[0] == rows):
                        draw(1.0, out)
                        assert out.flat[0] != 77
                        continue
                    with pytest.raises((Error, TypeError), match="shape is|order of another machine"):
                        draw(1.0, out)
                    assert (out == 77).all()
        with pytest.raises((Error, TypeError)):
            poses.commit(np.array(1.0, dtype=np.float32))


def test_a_number_is_drawn_between_its_last_two_states() -> None:
    height, heading = Smoothed(1.0), Smoothed(350.0, wrap=360.0)
    for smoothed, state in ((height, 3.0), (heading, 10.0)):
        smoothed.begin_step()
        smoothed.current = state
    assert (height.at(0.25), heading.at(0.5), height.previous) == (1.5, 360.0, 1.0)
    height.teleport()
    assert (height.is_teleport, height.at(0.5)) == (True, 3.0)
    height.begin_step()
    height.shift(-1000.0)
    assert (height.is_teleport, height.at(0.5)) == (False, -997.0)
    for wrap in (-1.0, float("nan"), float("inf")):
        with pytest.raises(Error, match="Smoothed: wrap"):
            Smoothed(0.0, wrap=wrap)


def test_poses_that_are_set_one_by_one_need_no_numpy() -> None:
    poses, drawn = Poses2(), array("f", [0] * 4)
    row = poses.add(0, 0)
    poses.set(row, 1, 2, 0.0)
    poses.commit()
    poses.draw(0.5, drawn)
    assert drawn.tolist() == [0.5, 1.0, 1.0, 0.0]
    poses.shift(row, 100, 0)
    poses.commit()
    poses.draw(1.0, drawn)
    assert drawn[0] == 101
    poses.remove(row)
    assert len(poses) == 0


def test_poses_in_space_become_matrices() -> None:
    poses = Poses3()
    poses.add(1, 2, 3)
    matrices = np.zeros((1, 4, 4), dtype=np.float32)
    poses.draw_matrices(1.0, matrices)
    np.testing.assert_array_equal(matrices[0], [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 2, 3, 1]])


def test_arrays_that_do_not_fit_are_refused() -> None:
    poses = Poses2()
    poses.add(0, 0)
    with pytest.raises(Error, match=r"shape is \[3\]; 1 rows need \[1, 4\] or \[4\]"):
        poses.commit(np.zeros(3, dtype=np.float32))
    with pytest.raises(Error, match="NaN"):
        poses.commit(np.full(4, np.nan, dtype=np.float32))
    with pytest.raises(TypeError, match="float32 or float64"):
        poses.commit(np.zeros(4, dtype=np.int32))
    read_only = np.zeros(4, dtype=np.float32)
    read_only.flags.writeable = False
    for out in (np.zeros(4), np.zeros((4, 2), dtype=np.float32)[:, 0], read_only):
        with pytest.raises(TypeError, match="out is an array of float32"):
            poses.draw(0.5, out)
    with pytest.raises(Error, match=r"shape is \[5\]; 1 rows need \[1, 4\] or \[4\]"):
        poses.draw(0.5, np.zeros(5, dtype=np.float32))


def test_a_tap_shorter_than_a_step_is_seen_in_one_step() -> None:
    timestep, keys = FixedTimestep(10), InputBuffer()
    timestep.begin_frame(0)
    keys.press(32, 120_000_000)
    keys.release(32, 130_000_000)
    frame = timestep.begin_frame(240_000_000)
    keys.begin_frame(timestep)
    seen = []
    for step in frame:
        keys.begin_step(step)
        seen.append((keys.presses(32), keys.is_held(32), keys.is_down(32), [event.kind for event in keys.events()]))
    assert seen == [(0, False, False, []), (1, False, True, ["press", "release"])]


def test_a_key_that_is_released_in_a_pause_is_up_after_it_and_nothing_is_played_afterwards() -> None:
    for room in (1, 1024):
        timestep, keys = FixedTimestep(60), InputBuffer(capacity=room)
        timestep.begin_frame(0)
        keys.press(87, 0)
        timestep.begin_frame(20_000_000)
        timestep.suspend()
        for ms in range(20, 6020):
            keys.motion(1, 0, ms * 1_000_000)
            keys.press(32, ms * 1_000_000)
            keys.release(32, ms * 1_000_000)
        keys.release(87, 6_020_000_000)
        timestep.resume()
        timestep.begin_frame(6_030_000_000)
        keys.begin_frame(timestep)
        frame = timestep.begin_frame(6_050_000_000)
        keys.begin_frame(timestep)
        for step in frame:
            keys.begin_step(step)
            assert (keys.is_held(87), keys.presses(32), keys.moved) == (False, 0, (0, 0))
        assert keys.paused > 0


def test_a_buffer_that_keeps_pauses_plays_them_afterwards_and_refuses_what_finds_no_room() -> None:
    timestep, keys = FixedTimestep(60), InputBuffer(capacity=1, keeps_pauses=True)
    timestep.begin_frame(0)
    timestep.suspend()
    keys.press(32, 10_000_000)
    with pytest.raises(Error, match="the buffer or list is full"):
        keys.release(32, 11_000_000)
    timestep.begin_frame(20_000_000)
    keys.begin_frame(timestep)
    timestep.resume()
    timestep.begin_frame(30_000_000)
    for step in timestep.begin_frame(60_000_000):
        keys.begin_step(step)
        assert keys.presses(32) == (step.tick == 0)


def test_events_of_any_kind_are_handed_over_when_they_are_seen() -> None:
    timestep = FixedTimestep(10)
    queue: EventQueue[dict[str, int]] = EventQueue()
    timestep.begin_frame(0)
    for step in timestep.begin_frame(100_000_000):
        queue.emit(step, {"bounce": 1})
    assert queue.seen(timestep) == [] and len(queue) == 1
    timestep.begin_frame(199_999_999)
    assert queue.seen(timestep) == []
    timestep.begin_frame(200_000_000)
    assert queue.seen(timestep) == [(0, {"bounce": 1})]


def test_a_full_queue_keeps_the_events_that_it_says() -> None:
    timestep = FixedTimestep(10)
    timestep.begin_frame(0)
    timestep.begin_frame(SECOND // 5)
    oldest: EventQueue[str] = EventQueue(capacity=2)
    newest: EventQueue[str] = EventQueue(capacity=2, overflow="drop-newest")
    for queue in (oldest, newest):
        for event in "abc":
            queue.emit(0, event)
        assert queue.dropped == 1
    assert [event for _, event in oldest.seen(timestep, "at-once")] == ["b", "c"]
    assert [event for _, event in newest.seen(timestep, "at-once")] == ["a", "b"]
    oldest.emit(1, "d")
    oldest.retract_from(1)
    assert oldest.seen(timestep, "at-once") == []


def test_several_rates_step_in_one_order() -> None:
    schedule = Schedule()
    fast, slow = schedule.add(20), schedule.add(10)
    schedule.begin_frame(0)
    schedule.begin_frame(200_000_000)
    steps = [(step.task, step.tick) for step in schedule]
    assert sorted(steps) == [(fast, 0), (fast, 1), (fast, 2), (fast, 3), (slow, 0), (slow, 1)]
    assert schedule.now == Fraction(1, 5)
    with pytest.raises(Error, match="no such row or task"):
        schedule.alpha(7)


def test_the_settings_of_a_schedule_can_be_changed_later() -> None:
    schedule = Schedule(filters=["display-clock"])
    task = schedule.add(100)
    schedule.set_max_delta(0.1)
    schedule.set_max_behind(0.05)
    schedule.set_overrun(("stretch", 2))
    schedule.set_overrun("drop")
    schedule.begin_frame(0)
    schedule.begin_frame(SECOND)
    assert sum(step.task == task for step in schedule) == 6
    schedule.set_max_advance(0.02)
    schedule.begin_frame(SECOND + 100_000_000)
    assert sum(step.task == task for step in schedule) == 2
    with pytest.raises(Error, match="max_delta"):
        schedule.set_max_delta(-1)


def test_policies_that_keep_time_lose_nothing_of_a_frame_within_their_backlog() -> None:
    for overrun in (("carry", 1.0), ("stretch", 2)):
        timestep = FixedTimestep(60, overrun=overrun)
        timestep.begin_frame(0)
        frame = timestep.begin_frame(400_000_000)
        assert (len(frame), frame.is_behind, frame.clamped, frame.dropped) == (15, True, 0, 0)


def test_a_single_step_runs_in_the_next_frame_of_a_suspended_timestep() -> None:
    timestep = FixedTimestep(60)
    timestep.begin_frame(0)
    timestep.suspend()
    for now in range(16_000_000, 160_000_000, 16_000_000):
        timestep.step_once()
        assert len(timestep.begin_frame(now)) == 1


def test_frames_are_counted() -> None:
    timestep, stats = FixedTimestep(60), FrameStats()
    for frame in range(30):
        now = frame * 16_666_667
        timestep.begin_frame(now)
        stats.record(timestep)
    assert stats.report()["frames"] == 30
    assert stats.frame_time(50) == 16_666_667
