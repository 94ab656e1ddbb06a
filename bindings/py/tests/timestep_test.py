"""Equal steps: what a loop in Python meets beyond the conformance script."""

import copy
import gc
import pickle
import re
import tracemalloc
import warnings
import weakref
from array import array
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

import evenstep
from evenstep import (
    Error,
    EventQueue,
    FixedTimestep,
    FrameClock,
    FrameStats,
    GameLoop,
    InputBuffer,
    PlaybackClock,
    PlaybackReport,
    Poses2,
    Poses3,
    RefreshClock,
    Schedule,
    Smoothed,
)

SECOND = 1_000_000_000


def test_a_frame_iterates_over_its_steps() -> None:
    timestep = FixedTimestep(100)
    assert list(timestep.begin_frame(5 * SECOND)) == []
    frame = timestep.begin_frame(5 * SECOND + 25_000_000)
    assert [(step.tick, step.dt) for step in frame] == [(0, 0.01), (1, 0.01)]
    assert (len(frame), frame.tick, frame.alpha) == (2, 2, 0.5)
    assert frame.overstep == Fraction(1, 200)


def test_the_steps_of_a_frame_are_made_one_at_a_time() -> None:
    timestep = FixedTimestep(1_000_000, max_delta=1.0, max_steps=1_000_000)
    timestep.begin_frame(0)
    frame = timestep.begin_frame(SECOND)
    tracemalloc.start()
    first = next(iter(frame))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(frame), first.tick) == (1_000_000, 0) and peak < 10_000


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
        frame = timestep.begin_frame(100 * SECOND)
        assert float(frame.tick / Fraction(60) + frame.overstep) == pytest.approx(100 * scale, rel=1e-9)


def test_rates_are_taken_as_they_are_written() -> None:
    for rate in (59.94, Fraction(5994, 100), (2997, 50)):
        timestep = FixedTimestep(rate)
        timestep.begin_frame(0)
        frame = timestep.begin_frame(SECOND // 10)
        assert frame.shown_time("none") % Fraction(50, 2997) == 0


def test_a_rate_may_be_so_low_that_python_writes_it_with_an_exponent() -> None:
    timestep = FixedTimestep(1e-5, max_delta=1e6)
    assert [step.dt for step in timestep.advance(1e5)] == [1e5]


def test_what_is_no_int_is_a_type_error_and_an_exception_of_index_is_kept() -> None:
    class Broken:
        def __index__(self) -> int:
            raise ZeroDivisionError

    with pytest.raises(TypeError, match="float"):
        FixedTimestep((60.5, 1))  # type: ignore[arg-type]
    with pytest.raises(Error, match="rate: "):
        FixedTimestep((1 << 32, 1))
    for call in (FixedTimestep(60).begin_frame, lambda it: FixedTimestep((it, 1))):
        with pytest.raises(ZeroDivisionError):
            call(Broken())


def test_bad_settings_say_what_to_give() -> None:
    with pytest.raises(Error, match="rate"):
        FixedTimestep(0)
    with pytest.raises(Error, match="rate"):
        FixedTimestep(float("nan"))
    with pytest.raises(TypeError, match="a rate is a number"):
        FixedTimestep("fast")  # type: ignore[arg-type]
    with pytest.raises(Error, match="drop"):
        FixedTimestep(60, overrun="skip")  # type: ignore[arg-type]
    with pytest.raises(Error, match="interpolate"):
        FixedTimestep(60).begin_frame(0).shown_time("blended")  # type: ignore[arg-type]
    with pytest.raises(Error, match="from 0 to"):
        FixedTimestep(60).begin_frame(-1)
    with pytest.raises(Error, match=r"a rate: -1 is not from 0 to 2\^32 - 1 in lowest terms"):
        FixedTimestep(-1)


def test_every_error_has_the_code_of_its_kind_for_programs() -> None:
    timestep, schedule, poses, stats = FixedTimestep(60), Schedule(), Poses2(), FrameStats()
    timestep.begin_frame(2 * SECOND)
    poses.commit(np.array([0, 0, 1, 0], dtype=np.float32))
    lean = evenstep.analyze(b"16\n17\n", columns=False).main
    nan = float("nan")
    calls: list[tuple[str, str, Callable[[], object]]] = [
        ("Negative", "a time in seconds", lambda: timestep.begin_frame(-1.0)),
        ("Negative", "a delta in seconds", lambda: timestep.advance(-1.0)),
        ("Negative", "time_scale", lambda: timestep.set_time_scale(-0.5)),
        ("NotFinite", "a delta in seconds", lambda: timestep.advance(float("inf"))),
        ("NotFinite", "FixedTimestep: rate", lambda: FixedTimestep(nan)),
        ("NotFinite", "InputBuffer", lambda: InputBuffer().motion(nan, 0.0)),
        ("NotFinite", "InputBuffer", lambda: InputBuffer().wheel(0.0, nan)),
        ("NotFinite", "Poses.draw", lambda: poses.draw(nan, array("f", [0] * 4))),
        ("NotFinite", "Poses.shift", lambda: poses.shift([0, nan])),
        ("NotFinite", "Poses.set_previous", lambda: poses.set_previous(0, [0, 0, nan, 0])),
        ("Ratio", "FixedTimestep: rate", lambda: FixedTimestep(0)),
        ("Range", "a time in seconds", lambda: timestep.begin_frame(1e20)),
        ("Range", "a time", lambda: timestep.begin_frame(1 << 64)),
        ("Range", "a number", lambda: timestep.set_max_steps(1 << 32)),
        ("Range", "a key", lambda: InputBuffer().press(1 << 32)),
        ("Range", "overrun", lambda: FixedTimestep(60, overrun="skip")),  # type: ignore[arg-type]
        ("Range", "smoothing", lambda: timestep.begin_frame(0).shown_time("blended")),  # type: ignore[arg-type]
        ("Range", "InputBuffer: capacity", lambda: InputBuffer(capacity=0)),
        ("Range", "InputBuffer: capacity", lambda: InputBuffer(capacity=(1 << 20) + 1)),
        ("Range", "EventQueue: capacity", lambda: EventQueue(capacity=(1 << 20) + 1)),
        ("Range", "EventQueue: overflow", lambda: EventQueue(overflow="drop")),  # type: ignore[arg-type]
        ("Range", "FixedTimestep.give_back", lambda: timestep.give_back(1)),
        ("Range", "FrameStats.frame_time", lambda: stats.frame_time(100.1)),
        ("Range", "Smoothed: wrap", lambda: Smoothed(0.0, wrap=0.0)),
        ("Range", "simulate: rate", lambda: evenstep.simulate(b"16\n", rate=1_000_000)),
        ("Range", "simulate: display", lambda: evenstep.simulate(b"16\n", display="fast")),
        ("Size", "Poses.draw", lambda: poses.draw(0.5, array("f", [0] * 8))),
        ("Size", "Poses.shift", lambda: poses.shift([0])),
        ("Size", "Poses.set_previous", lambda: poses.set_previous(0, [0])),
        ("Size", "Smoothed", lambda: Smoothed(1.0).set_previous(np.ones(2))),
        ("Missing", "Poses.remove", lambda: poses.remove(1)),
        ("Missing", "Poses.teleport", lambda: poses.teleport(1)),
        ("Missing", "Schedule.alpha", lambda: schedule.alpha(0)),
        ("Missing", "Schedule.tick", lambda: schedule.tick(0)),
        ("Missing", "InputBuffer.begin_task", lambda: InputBuffer().begin_task(schedule, 0)),
        ("Missing", "Chain.frame_times", lambda: lean.frame_times),
        ("Missing", "Chain.presents", lambda: lean.presents),
        ("Order", "FixedTimestep.give_back", lambda: FixedTimestep(60).give_back(0)),
        ("Order", "FrameStats.record", lambda: stats.record(FixedTimestep(60))),
        ("Order", "InputBuffer.begin_frame", lambda: InputBuffer().begin_frame(FixedTimestep(60))),
        ("Order", "FixedTimestep.advance", lambda: FixedTimestep(60, clock=PlaybackClock()).advance(0.1)),
        ("Order", "Schedule.refuse", schedule.refuse),
    ]
    for code, name, call in calls:
        with pytest.raises(Error, match=f"^{re.escape(name)}: ") as raised:
            call()
        assert raised.value.code == code, name
        assert pickle.loads(pickle.dumps(raised.value)).code == code
    for capacity in (1, 1 << 20):
        InputBuffer(capacity=capacity)
        EventQueue(capacity=capacity)
    assert stats.frame_time(100) is None and InputBuffer().press((1 << 32) - 1) is None  # type: ignore[func-returns-value]


def test_a_wrong_argument_is_told_what_is_wanted_in_the_words_of_python() -> None:
    timestep, keys, poses, queue = FixedTimestep(60), InputBuffer(), Poses2(), EventQueue[Any]()
    wrong: list[Any] = ["text", b"x", None, 1.5, -1, 1 << 40, 1 << 80, [], (1, 2, 3), {}, object()]
    calls: list[Callable[[Any], object]] = [
        lambda it: FixedTimestep(it),
        lambda it: FixedTimestep(60, clock=it),
        lambda it: GameLoop(it),
        lambda it: GameLoop(60, input=it),
        lambda it: GameLoop(60).begin_frame(it),
        lambda it: Smoothed(it),
        lambda it: FixedTimestep(60, overrun=it),
        lambda it: FixedTimestep(60, overrun=("carry", it)),
        lambda it: FixedTimestep(60, overrun=("stretch", it)),
        lambda it: FixedTimestep(60, max_steps=it),
        lambda it: FixedTimestep(60, time_scale=it),
        lambda it: timestep.begin_frame(it),
        lambda it: timestep.advance(it),
        lambda it: timestep.give_back(it),
        lambda it: keys.press(it),
        lambda it: keys.press_at(0, it),
        lambda it: keys.press_at(it, 1),
        lambda it: keys.controls(it),
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


def test_poses_are_drawn_between_states_of_numpy() -> None:
    poses, states = Poses2(), np.tile(np.array([0, 0, 1, 0], dtype=np.float32), (3, 1))
    states[:, 0] = [0, 1, 2]
    poses.commit(states)
    states[:, :2] = [[10, 1], [11, 1], [12, 1]]
    poses.commit(states)
    drawn = np.empty((3, 4), dtype=np.float32)
    poses.draw(0.5, drawn)
    np.testing.assert_array_equal(drawn[:, :2], [[5, 0.5], [6, 0.5], [7, 0.5]])
    poses.teleport(0)
    poses.commit(np.asfortranarray(states.astype(np.float64) + [10, 0, 0, 0]))
    poses.draw(0.25, drawn)
    np.testing.assert_array_equal(drawn[:, 0], [20, 13.5, 14.5])


@pytest.mark.parametrize(("kind", "floats"), [(Poses2, 4), (Poses3, 7)])
def test_arrays_of_every_layout_are_taken_rightly_or_refused(kind: type[Poses2] | type[Poses3], floats: int) -> None:
    """Of arrays in other shapes and orders of bytes nothing is read and nothing is written."""
    random = np.random.default_rng(60_000)
    for rows in (1, 2, 3, floats, 16):
        states = np.tile(np.array([1, 0, 0, 0, 0, 0, 1], dtype=np.float32)[-floats:], (rows, 1))
        states[:, 0] = random.uniform(-9, 9, rows)
        poses = kind()
        poses.commit(states)
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
                        with pytest.raises((Error, TypeError), match="shape is|machine's byte order"):
                            poses.commit(array)
                        continue
                    poses.commit(array)
                    poses.draw(1.0, drawn)
                    np.testing.assert_array_equal(drawn, states)
            for shape in ((rows, floats), (rows * floats,), (floats, rows), (1, rows * floats)):
                out = np.full(shape, 77, dtype=f"{order}f4")
                if out.dtype.isnative and (len(shape) == 1 or shape[0] == rows):
                    poses.draw(1.0, out)
                    assert out.flat[0] != 77
                    continue
                with pytest.raises((Error, TypeError), match="shape is|machine's byte order"):
                    poses.draw(1.0, out)
                assert (out == 77).all()
        with pytest.raises((Error, TypeError)):
            poses.commit(np.array(1.0, dtype=np.float32))


def test_a_loop_with_a_limit_draws_that_many_frames_a_second_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 5_000_000_000
    slept: list[int] = []

    def sleep(seconds: float) -> None:
        nonlocal now
        slept.append(round(seconds * 1e9))
        now += slept[-1] + 60_000  # as late as a timer is

    monkeypatch.setattr("time.perf_counter_ns", lambda: now)
    monkeypatch.setattr("time.sleep", sleep)
    for fps, work in ((60, 2_000_000), (Fraction(60_000, 1001), 9_000_000), (144, 0), (10, 99_000_000), (0.5, 0)):
        game = GameLoop(60)
        game.limit_fps(fps)
        game.begin_frame()
        begun, frames = now, []
        for _ in range(100):
            now += work
            game.limit_fps(fps)
            frames.append(now)
            game.begin_frame()
        assert abs((now - begun) / 100 - 1e9 / fps) < 1e4
        # A timer is late by the same each time, except in the first frame.
        assert all(abs(after - before - 1e9 / fps) < 1e4 for before, after in zip(frames[1:], frames[2:], strict=False))
    # A frame that is late is made up for, a long one is not.
    game = GameLoop(60)
    game.limit_fps(100)
    for work, wanted in ((14_000_000, 0), (2_000_000, 4_000_000), (3_000_000_000, 0), (4_000_000, 6_000_000)):
        slept.clear()
        now += work
        game.limit_fps(100)
        assert abs(sum(slept) - wanted) < 100_000, (work, slept)
    for wrong in (0, -60, float("nan"), "fast"):
        with pytest.raises((Error, TypeError), match="limit_fps|rate|ratio|number"):
            game.limit_fps(wrong)  # type: ignore[arg-type]


def test_what_follows_a_mouse_by_the_reports_around_a_steps_begin_has_its_speed() -> None:
    for hz in (125, 1000, 8000):
        for display in (60, 72, 144):
            game, times, places = GameLoop(60), [0.0], [0.0]
            paddle, sent = 0.0, 1
            for number in range(3 * display):
                now = SECOND + number * SECOND // display
                while sent * SECOND / hz <= now:  # 1000 pixels a second
                    times.append(sent * SECOND / hz)
                    places.append(sent * 1000 / hz)
                    sent += 1
                del times[:-500], places[:-500]
                frame = game.begin_frame(now)
                for step in frame:
                    ago = frame.tick - step.tick + frame.alpha
                    before, paddle = paddle, float(np.interp(now - ago * step.dt * 1e9 - 4e6, times, places))
                    if step.tick > 100:
                        assert 960 < (paddle - before) * 60 < 1040, (hz, display, (paddle - before) * 60)
                        assert 0 < now / 1e6 - paddle < 2 * 1000 / 60 + 5


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
    for wrap in (-1.0, 0.0, float("nan"), float("inf")):
        with pytest.raises(Error, match="Smoothed: wrap"):
            Smoothed(0.0, wrap=wrap)


def test_an_array_is_drawn_between_its_last_two_states() -> None:
    places = Smoothed(np.array([[0.0, 1.0], [2.0, 3.0]]))
    held = places.current
    places.begin_step()
    held += 4.0
    np.testing.assert_array_equal(places.at(0.25), [[1, 2], [3, 4]])
    places.shift(np.array([10.0, 0.0]))
    np.testing.assert_array_equal(places.at(0.5), [[12, 3], [14, 5]])
    assert places.current is held
    for drawn in (places.at(0.0), places.at(1.0)):
        drawn[:] = 99.0
    np.testing.assert_array_equal(places.at(1.0), held)
    places.teleport()
    np.testing.assert_array_equal(places.at(0.5), held)
    before = places.previous
    places.set_previous(np.array([7.0, 8.0]), 1)
    np.testing.assert_array_equal(before, [[10, 1], [12, 3]])
    np.testing.assert_array_equal(places.previous, [[10, 1], [7, 8]])
    headings = Smoothed(np.array([350.0, 10.0, 90.0]), wrap=360.0)
    headings.begin_step()
    headings.current = np.array([10.0, 350.0, 100.0])
    np.testing.assert_array_equal(headings.at(0.5), [360, 0, 95])
    with pytest.raises(TypeError, match="a number or an array of numbers, not str"):
        Smoothed("fast")


KINDS = ("u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", ">u2", ">i4", "f2", "f4", "f8", ">f4", "longdouble")


def between(previous: Any, current: Any, alpha: float, wrap: float | None = None) -> Any:
    smoothed: Smoothed[Any] = Smoothed(previous, wrap=wrap)
    smoothed.begin_step()
    smoothed.current = current
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return smoothed.at(alpha)


def test_every_kind_of_numbers_is_drawn_between_its_ends_and_as_its_kind() -> None:
    random = np.random.default_rng(1)
    for kind in KINDS:
        dtype = np.dtype(kind)
        is_integer = dtype.kind in "iu"
        info: Any = np.iinfo(dtype) if is_integer else np.finfo(dtype)
        # Doubles and floats that are as far apart overflow, as in every language here.
        ends = [info.min, info.max] if is_integer or dtype.itemsize == 2 else [-1e30, 1e30]
        numbers = [*ends, 0, 1, 7, 100, 101, *random.uniform(0, min(float(ends[1]), 1e6), 5).astype(dtype)]
        pairs = [(dtype.type(one), dtype.type(other)) for one in numbers for other in numbers]
        old, new = (np.array(side, dtype=dtype) for side in zip(*pairs, strict=True))
        for alpha in (0.0, 0.25, 0.5, 0.999, 1.0):
            drawn = between(old, new, alpha)
            # Numpy's results have the machine's byte order.
            assert drawn.dtype.newbyteorder("=") == dtype.newbyteorder("="), (kind, drawn.dtype)
            single = [between(one, other, alpha) for one, other in pairs]
            for one, other, got, alone in zip(old, new, drawn, single, strict=True):
                place = f"{kind} from {one} to {other} at {alpha}: {got}"
                assert got == alone, f"{place}; as a number {alone}"
                assert min(one, other) <= got <= max(one, other), place
                way = (Fraction(str(other)) - Fraction(str(one))) * Fraction(alpha)
                exact = Fraction(str(one)) + way
                # A way of 64 bits is a float64; floats are exact to two of their own digits.
                rounding = Fraction(1, 2) + abs(way) * Fraction(2) ** -52 if is_integer else (abs(exact) + abs(way)) * Fraction(float(info.eps)) * 2
                assert abs(Fraction(str(got)) - exact) <= rounding, place
    picture = np.full((4, 3, 3), 200, np.uint8)
    assert between(picture, picture // 2, 0.5).tolist() == np.full((4, 3, 3), 150).tolist()
    # One of another kind: as numpy adds them.
    for other in (100, 100.0, np.int64(100), np.float32(100)):
        assert between(np.uint8(200), other, 0.5) == 150
    assert between(np.array([1, 2], "u1"), np.array([1.5, 2.5]), 0.5).tolist() == [1.25, 2.25]


def test_integers_that_wrap_are_drawn_the_shorter_way_within_what_they_can_be() -> None:
    for kind in ("u1", "i2", "u2", "u4", "i8", "u8", "f2"):
        for wrap in (200, 250, 255):
            for old, new in ((10, wrap - 10), (wrap - 10, 10), (wrap - 1, 0), (0, wrap - 1)):
                for alpha in (0.0, 0.1, 0.5, 0.9, 1.0):
                    drawn = float(between(np.array([old], kind), np.array([new], kind), alpha, wrap)[0])
                    length = min(abs(new - old), wrap - abs(new - old))
                    way = (drawn - old) % wrap
                    assert abs(min(way, wrap - way) - length * alpha) <= 0.5, (kind, wrap, old, new, alpha, drawn)
                    number = float(between(float(old), float(new), alpha, wrap))
                    if kind != "f2" and np.iinfo(kind).min <= round(number) <= np.iinfo(kind).max:
                        assert drawn == round(number), (kind, wrap, old, new, alpha)


def test_a_state_that_is_not_like_the_first_is_refused_where_it_is_set() -> None:
    array = np.zeros((2, 3))
    others: list[Any] = [np.ones(3), 1.0, np.ones((4, 2, 3)), [1, 2, 3], None, array.astype(complex), array.astype(object), array.astype(str)]
    for state, wrong in ((array, others), (1.0, [np.ones(3), 1 + 2j, "a", None, [1.0], np.complex128(1)])):
        for value in wrong:
            smoothed: Smoothed[Any] = Smoothed(state)
            with pytest.raises((Error, TypeError), match="a state is a number or an array|the state is"):
                smoothed.current = value
            with pytest.raises((Error, TypeError), match="a state is a number or an array|the state is"):
                smoothed.set_previous(value)
            np.testing.assert_array_equal(smoothed.at(0.5), state)
    for right in (2, np.float32(2), np.int64(2), np.array(2.0)):
        number: Smoothed[Any] = Smoothed(1.0)
        number.begin_step()
        number.current = right
        assert number.at(0.5) == 1.5
    smoothed = Smoothed(array)
    smoothed.current += 1
    smoothed.current = np.full((2, 3), 7, dtype=np.int8)


def test_a_smoothed_state_is_neither_copied_nor_pickled() -> None:
    # A copy would share its arrays.
    state = Smoothed(np.zeros(2))
    attempts: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy]
    attempts += [partial(pickle.dumps, protocol=number) for number in range(pickle.HIGHEST_PROTOCOL + 1)]
    for attempt in attempts:
        with pytest.raises(TypeError, match="keep its states"):
            attempt(state)


def test_what_is_like_a_number_is_an_alpha_or_a_period_and_text_is_not() -> None:
    class Quarter:
        def __float__(self) -> float:
            return 0.25

    alphas: list[Any] = [Quarter(), Fraction(1, 4), Decimal("0.25"), np.float32(0.25)]
    for alpha in alphas:
        angle = Smoothed(0.0, wrap=alpha)
        angle.current = 0.0625
        assert angle.at(alpha) == 0.015625
    texts: list[Any] = ["0.25", b"0.25", bytearray(b"0.25")]
    for text in texts:
        with pytest.raises(TypeError):
            Smoothed(0.0).at(text)
        with pytest.raises(TypeError, match="must be real number, not"):
            Smoothed(0.0, wrap=text)
    with pytest.raises(TypeError, match="a state is a number"):
        Smoothed("0.25")


def test_a_shot_from_a_moving_gun_is_drawn_at_its_mouth() -> None:
    for rate in (20, 60, 144):
        timestep, gun = FixedTimestep(rate), Smoothed(0.0)
        one: Smoothed[float] | None = None
        poses, states = Poses2(), np.zeros((0, 4), dtype=np.float32)
        rows, places = Poses2(), np.full((8, 4), (-500, 0, 1, 0), dtype=np.float32)
        rows.commit(places)
        pool, spawned = Smoothed(np.full((8, 2), -500.0)), Smoothed(np.full(8, -500.0))
        for index in range(2 * 144):
            frame = timestep.begin_frame(index * SECOND // 144)
            for step in frame:
                way = 10 * step.dt
                for smoothed in (gun, pool, spawned, one):
                    if smoothed is not None:
                        smoothed.begin_step()
                        smoothed.current += way
                states[:, 0] += way
                places[:, 0] += way
                if step.tick == 9:
                    places[2, 0] = gun.current + 2
                    rows.teleport(5)
                    rows.set_previous(5, places[2] - np.array([way, 0, 0, 0], dtype=np.float32))
                    places[0] = places[5] = places[2]
                    rows.teleport(0)
                    rows.teleport(2)
                    rows.set_previous(2, places[2] - np.array([way, 0, 0, 0], dtype=np.float32))
                    states = np.array([[gun.current + 2, 0, 1, 0]], dtype=np.float32)
                poses.commit(states)
                rows.commit(places)
                if step.tick == 9:
                    rows.set_previous(0, places[2] - np.array([way, 0, 0, 0], dtype=np.float32))
                    poses.set_previous(0, states[0] - np.array([way, 0, 0, 0], dtype=np.float32))
                    muzzle = gun.current + 2
                    one = Smoothed(muzzle)
                    one.set_previous(muzzle - way)
                    pool.current[3] = (muzzle, 0.0)
                    pool.set_previous((muzzle - way, 0.0), 3)
                    spawned.current[2:4] = muzzle
                    spawned.set_previous(muzzle - way, slice(2, 4))
            if one is not None:
                alpha = frame.alpha
                drawn = np.empty((1, 4), dtype=np.float32)
                poses.draw(alpha, drawn)
                assert abs(drawn[0, 0] - gun.at(alpha) - 2) < 1e-4
                drawn = np.empty((8, 4), dtype=np.float32)
                rows.draw(alpha, drawn)
                assert np.all(np.abs(drawn[[0, 2, 5], 0] - gun.at(alpha) - 2) < 1e-3)
                for shot in (one.at(alpha), pool.at(alpha)[3, 0], *spawned.at(alpha)[2:4]):
                    assert abs(shot - gun.at(alpha) - 2) < 1e-9
    with pytest.raises((IndexError, TypeError)):
        Smoothed(np.zeros(3)).set_previous(1.0, 9)
    for row, state in ((9, [0, 0, 1, 0]), (0, [0, 0]), (0, [float("nan"), 0, 1, 0])):
        with pytest.raises(Error, match="Poses.set_previous"):
            poses.set_previous(row, state)


def test_time_stands_still_while_the_clock_is_behind_and_a_count_says_so() -> None:
    schedule = Schedule()
    schedule.add(60)
    for clock in (FixedTimestep(60), FixedTimestep(60, clock=FrameClock()), GameLoop(60), schedule, FrameClock()):
        begin = clock.begin_frame
        begin(10_000 * SECOND)
        begin(10_000 * SECOND + 100)
        for back in (1, SECOND, 5000 * SECOND, 9000 * SECOND):
            begin(10_000 * SECOND + 100 - back)
        begin(10_000 * SECOND + 200)
        assert clock.backward_frames == 4


def test_a_key_that_is_a_string_is_told_what_keys_are() -> None:
    keys = InputBuffer()
    for call in (keys.press, keys.release):
        with pytest.raises(TypeError, match=r"a key is an int of your choice, such as pygame\.K_SPACE, not str"):
            call("space")  # type: ignore[arg-type]


def test_half_a_turn_goes_the_same_way_for_a_number_and_in_an_array() -> None:
    for previous, current in ((180.0, 0.0), (0.0, 180.0), (0.0, 540.0), (540.0, 0.0)):
        drawn = []
        for smoothed in (Smoothed(previous, wrap=360.0), Smoothed(np.array([previous]), wrap=360.0)):
            smoothed.begin_step()
            smoothed.current = smoothed.current * 0 + current
            drawn.append(float(np.sum(smoothed.at(0.25))))
        assert drawn[0] == drawn[1] and abs(drawn[0] - previous) == 45


def test_a_shift_that_fails_changes_nothing() -> None:
    places = Smoothed(np.zeros(2))
    with pytest.raises(ValueError, match="broadcast"):
        places.shift(np.ones(3))
    np.testing.assert_array_equal(places.previous, [0, 0])
    np.testing.assert_array_equal(places.current, [0, 0])


def test_a_state_that_refers_to_what_holds_it_is_collected() -> None:
    class Game:
        def __init__(self) -> None:
            self.place: Smoothed[Any] = Smoothed(Place(self))

    class Place:
        def __init__(self, game: Game) -> None:
            self.game = game

        def __sub__(self, other: "Place") -> float:
            return 0.0

    ended = weakref.ref(Game())
    gc.collect()
    assert ended() is None


def test_poses_need_no_numpy_and_rows_come_and_go() -> None:
    poses, drawn = Poses2(), array("f", [0] * 4)
    poses.commit(array("f", [0, 0, 1, 0]))
    poses.commit(array("f", [1, 2, 1, 0]))
    poses.draw(0.5, drawn)
    assert drawn.tolist() == [0.5, 1.0, 1.0, 0.0]
    poses.shift([100, 0])
    poses.draw(0.5, drawn)
    assert drawn[0] == 100.5
    poses.commit(array("d", [102, 2, 1, 0, 7, 7, 1, 0]))
    drawn = array("f", [0] * 8)
    poses.draw(0.5, drawn)
    assert (len(poses), drawn[0], drawn[4]) == (2, 101.5, 7)
    poses.teleport(1)
    poses.remove(0)
    poses.commit(array("f", [9, 9, 1, 0]))
    drawn = array("f", [0] * 4)
    poses.draw(0.5, drawn)
    assert drawn[0] == 9
    with pytest.raises(Error, match="the offset is x and y, not 3 numbers"):
        poses.shift([100, 0, 0])
    with pytest.raises(Error, match="the offset is x, y and z, not 2 numbers"):
        Poses3().shift([100, 0])
    with pytest.raises(Error, match="no row 1; there are 1"):
        poses.remove(1)


def test_arrays_that_do_not_fit_are_refused() -> None:
    poses = Poses2()
    poses.commit(np.zeros(4, dtype=np.float32))
    with pytest.raises(Error, match=r"shape is \[3\]; 1 rows need \[1, 4\] or \[4\]"):
        poses.commit(np.zeros(3, dtype=np.float32))
    with pytest.raises(Error, match=r"shape is \[0, 4\]"):
        poses.commit(np.zeros((0, 4), dtype=np.float32))
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
    keys.press_at(120_000_000, 32)
    keys.release_at(130_000_000, 32)
    frame = timestep.begin_frame(240_000_000)
    keys.begin_frame(timestep)
    seen = []
    for step in frame:
        controls = keys.controls(step)
        kinds = [event.kind for event in keys.events(step)]
        seen.append((controls.presses(32), controls.is_held_at_end(32), controls.is_down(32), kinds))
    assert seen == [(0, False, False, []), (1, False, True, ["press", "release"])]


def test_a_game_loop_is_a_filtered_timestep_with_input() -> None:
    game, timestep, keys = GameLoop(60), FixedTimestep(60, clock=FrameClock()), InputBuffer()
    game.set_time_scale(0.5)
    timestep.set_time_scale(0.5)
    seen = []
    for number in range(300):
        now = number * 16_700_000 + number * 7919 % 400_000
        for buffer in (game.input, keys):
            buffer.press_at(max(now - 1_000_000, 0), 1)
            buffer.release_at(now, 1)
        frame, other = game.begin_frame(now), timestep.begin_frame(now)
        keys.begin_frame(timestep)
        assert (frame.tick, frame.alpha) == (other.tick, other.alpha)
        for step in frame:
            presses = game.input.controls(step).presses(1)
            assert presses == keys.controls(step).presses(1)
            seen.append(presses)
    assert sum(seen) > 290 and game.tick == len(seen) > 140


def test_each_event_of_a_step_has_its_kind_key_motion_and_time() -> None:
    schedule, keys = Schedule(), InputBuffer()
    first, task = schedule.add(10), schedule.add(40)
    schedule.begin_frame(0)
    keys.begin_task(schedule, task)
    keys.press_at(1_000_001, 7)
    keys.release_at(2_000_002, 7)
    keys.motion_at(3_000_003, 1.5, -2.5)
    keys.wheel_at(4_000_004, 0.25, 3.0)
    keys.press_at(4_000_004, 8)
    keys.release_all_at(5_000_005)
    keys.press_at(30_000_000, 9)
    taken = []
    schedule.begin_frame(60_000_000)
    keys.begin_task(schedule, task)
    for of, step in schedule:
        assert of == task != first
        controls, events = keys.controls(step), keys.events(step)
        taken.append([(event.kind, event.key, event.x, event.y, event.time) for event in events])
        assert (controls.motion, controls.wheel) == (((1.5, -2.5), (0.25, 3.0)) if step.tick == 0 else ((0, 0), (0, 0)))
        assert (controls.was_released(7), controls.was_released(8), controls.was_released(9)) == ((True, True, False) if step.tick == 0 else (False,) * 3)
    assert taken == [
        [
            ("press", 7, 0, 0, 1_000_001),
            ("release", 7, 0, 0, 2_000_002),
            ("motion", 0, 1.5, -2.5, 3_000_003),
            ("wheel", 0, 0.25, 3.0, 4_000_004),
            ("press", 8, 0, 0, 4_000_004),
            ("release-all", 0, 0, 0, 5_000_005),
        ],
        [("press", 9, 0, 0, 30_000_000)],
    ]


def test_what_is_printed_of_an_object_says_where_it_is() -> None:
    timestep, smoothed = FixedTimestep(4), Smoothed(1.0)
    timestep.begin_frame(0)
    frame = timestep.begin_frame(0.25)
    smoothed.current = 3.0
    assert repr(timestep) == "<evenstep.FixedTimestep at tick 1>"
    assert repr(GameLoop(60)) == "<evenstep.GameLoop at tick 0>"
    assert repr(frame) == "<evenstep.Frame of 1 steps to tick 1, alpha 0>"
    assert [repr(step) for step in frame] == ["<evenstep.Step 0 of 0.25 s>"]
    assert repr(smoothed) == "<evenstep.Smoothed from 1.0 to 3.0>"
    assert repr(PlaybackReport(at=5, position=0.25)) == "PlaybackReport(at=5, position=250000000)"
    assert repr(RefreshClock(60)) == "<evenstep.RefreshClock at speed 1.0000>"


def test_an_event_is_seen_as_its_frame_is_drawn() -> None:
    timestep = FixedTimestep(10)
    timestep.begin_frame(0)
    frame = timestep.begin_frame(0.25)
    queues: dict[Any, EventQueue[int]] = {smoothing: EventQueue() for smoothing in ("interpolate", "extrapolate", "none")}
    for step in frame:
        for queue in queues.values():
            queue.emit(step, step.tick)
    shown = {smoothing: frame.shown_time(smoothing) for smoothing in queues}
    assert shown == {"interpolate": Fraction(3, 20), "extrapolate": Fraction(1, 4), "none": Fraction(1, 5)}
    due = {smoothing: [event for _, event in queue.due(frame, smoothing)] for smoothing, queue in queues.items()}
    assert due == {"interpolate": [0], "extrapolate": [0, 1], "none": [0, 1]}


def test_a_press_without_a_time_acts_in_the_next_step_of_a_loop_by_the_systems_clock() -> None:
    game = GameLoop(1000)
    game.begin_frame()
    game.input.press(32)
    presses = 0
    while game.tick < 100:
        for step in game.begin_frame():
            presses += game.input.controls(step).presses(32)
    assert presses == 1
    buffer = InputBuffer(capacity=7, keep_pauses=True)
    assert GameLoop(60, input=buffer).input is buffer


def test_a_frame_clock_smooths_the_deltas_of_a_loop_of_ones_own() -> None:
    clock, timestep, filtered = FrameClock(), FixedTimestep(60), FixedTimestep(60, clock=FrameClock())
    frame = filtered.begin_frame(0)
    clock.begin_frame(0)
    for number in range(1, 200):
        now = number * 16_700_000 + number * 7919 % 400_000
        by_delta, frame = timestep.advance(clock.begin_frame(now)), filtered.begin_frame(now)
        assert (by_delta.tick, by_delta.alpha) == (frame.tick, frame.alpha)
    assert all(len(filtered.begin_frame(now + number * 16_666_667)) == 1 for number in range(1, 300))


def test_a_buffer_that_keeps_pauses_plays_them_afterwards_and_refuses_what_finds_no_room() -> None:
    timestep, keys = FixedTimestep(60), InputBuffer(capacity=1, keep_pauses=True)
    timestep.begin_frame(0)
    timestep.pause()
    keys.press_at(10_000_000, 32)
    with pytest.raises(Error, match="the buffer is full"):
        keys.release_at(11_000_000, 32)
    timestep.begin_frame(20_000_000)
    keys.begin_frame(timestep)
    timestep.resume()
    timestep.begin_frame(30_000_000)
    for step in timestep.begin_frame(60_000_000):
        assert keys.controls(step).presses(32) == (step.tick == 0)


def test_events_of_any_kind_are_handed_over_when_they_are_seen() -> None:
    timestep = FixedTimestep(10)
    queue: EventQueue[dict[str, int]] = EventQueue()
    timestep.begin_frame(0)
    frame = timestep.begin_frame(100_000_000)
    for step in frame:
        queue.emit(step, {"bounce": 1})
    assert queue.due(frame) == [] and queue.waiting == 1
    assert queue.due(timestep.begin_frame(199_999_999)) == []
    assert queue.due(timestep.begin_frame(200_000_000)) == [(0, {"bounce": 1})]


def test_a_queue_that_an_event_refers_to_is_collected() -> None:
    class Game:
        def __init__(self) -> None:
            self.queue: EventQueue[Game] = EventQueue()

    game, timestep = Game(), FixedTimestep(10)
    timestep.begin_frame(0)
    for step in timestep.begin_frame(100_000_000):
        game.queue.emit(step, game)
    ended = weakref.ref(game)
    del game
    gc.collect()
    assert ended() is None


def test_a_full_queue_keeps_the_events_that_it_says() -> None:
    timestep = FixedTimestep(10)
    timestep.begin_frame(0)
    frame = timestep.begin_frame(SECOND // 5)
    first, second = frame
    oldest: EventQueue[str] = EventQueue(capacity=2)
    newest: EventQueue[str] = EventQueue(capacity=2, overflow="drop-newest")
    for queue in (oldest, newest):
        for event in "abc":
            queue.emit(first, event)
        assert queue.dropped == 1
    assert [event for _, event in oldest.due(frame, "none")] == ["b", "c"]
    assert [event for _, event in newest.due(frame, "none")] == ["a", "b"]
    oldest.emit(second, "d")
    oldest.retract_from(1)
    assert oldest.due(frame, "none") == []


def test_several_rates_step_in_one_order() -> None:
    schedule = Schedule()
    fast, slow = schedule.add(20), schedule.add(10)
    schedule.begin_frame(0)
    steps = [(task, step.tick) for task, step in schedule.begin_frame(200_000_000)]
    assert sorted(steps) == [(fast, 0), (fast, 1), (fast, 2), (fast, 3), (slow, 0), (slow, 1)]
    assert schedule.now == Fraction(1, 5)
    with pytest.raises(Error, match="no such task"):
        schedule.alpha(7)


def test_the_settings_of_a_schedule_can_be_changed_later() -> None:
    schedule = Schedule(clock=FrameClock())
    task = schedule.add(100)
    schedule.set_max_delta(0.1)
    schedule.set_max_behind(0.05)
    schedule.set_overrun(("stretch", 2))
    schedule.set_overrun("drop")
    schedule.begin_frame(0)
    assert sum(of == task for of, _ in schedule.begin_frame(SECOND)) == 6
    clamped, paused, dropped = schedule.lost
    assert clamped > 0.8 * SECOND and paused == 0 and dropped > 0
    schedule.set_max_advance(0.02)
    assert sum(of == task for of, _ in schedule.begin_frame(SECOND + 100_000_000)) == 2
    schedule.pause()
    assert list(schedule.advance(1.0)) == [] and schedule.is_paused
    assert schedule.lost[1] > 0.9 * SECOND
    schedule.resume_dropping()
    assert not schedule.is_paused
    with pytest.raises(Error, match="from 0 to"):
        schedule.set_max_delta(-1)


def test_a_schedule_tells_of_each_task_and_of_each_frame_what_is_so() -> None:
    schedule, zero = Schedule(), Fraction(0)
    fast, slow = schedule.add(100), schedule.add(40, phase=0.004)

    def steps(frame: Schedule) -> list[tuple[int, int]]:
        return [(task, step.tick) for task, step in frame]

    assert (schedule.until_next_step, steps(schedule.begin_frame(5 * SECOND))) == (10_000_000, [])
    lengths = [step.dt for _, step in schedule.begin_frame(5 * SECOND + 53_000_000)]
    assert lengths == [0.01, 0.01, 0.025, 0.01, 0.01, 0.01]
    assert (schedule.tick(fast), schedule.tick(slow), schedule.now) == (5, 1, Fraction(53, 1000))
    assert (schedule.alpha(fast), schedule.alpha(slow), schedule.until_next_step) == (0.3, 0.96, 1_000_000)
    schedule.set_time_scale((1, 2))
    assert steps(schedule.begin_frame(5 * SECOND + 93_000_000)) == [(slow, 1), (fast, 5), (fast, 6)]
    assert (schedule.now, schedule.until_next_step) == (Fraction(73, 1000), 12_000_000)
    # A refused step stays due.
    task, step = next(schedule.advance(0.05))
    schedule.refuse()
    assert (task, step.tick) == (slow, 2)
    assert steps(schedule) == [(slow, 2), (fast, 7), (fast, 8)]
    schedule.pause()
    assert (steps(schedule.advance(1.0)), schedule.lost, schedule.until_next_step) == ([], (0, SECOND, zero), None)
    schedule.resume()
    assert (schedule.until_next_step, schedule.is_paused) == (0, False)
    assert (steps(schedule.advance(0.5)), schedule.lost, schedule.now) == ([], (0, SECOND // 2, zero), Fraction(98, 1000))
    schedule.set_overrun(("carry", 0.1))
    schedule.set_max_advance(0.02)
    assert steps(schedule.advance(0.1)) == [(fast, 9), (slow, 3), (fast, 10)]
    assert (schedule.is_behind, schedule.lost) == (True, (0, 0, zero))
    schedule.resume_dropping()
    assert (steps(schedule.advance(0.0)), schedule.is_behind, schedule.lost) == ([], False, (0, 0, Fraction(3, 100)))
    schedule.reset()
    assert (schedule.now, schedule.tick(fast), schedule.tick(slow), schedule.backward_frames) == (zero, 0, 0, 0)
    schedule.set_max_delta(0.03)
    assert (len(steps(schedule.advance(1.0))), schedule.lost[0]) == (1, 970_000_000)
    schedule.set_max_delta(None)
    assert (len(steps(schedule.advance(1.0))), schedule.lost) == (3, (0, 0, Fraction(38, 100)))
    assert steps(schedule.begin_frame(0)) == [] and schedule.backward_frames == 1
    late = Schedule()
    late.add(100)
    late.set_max_behind(0.05)
    late.advance(0.0)
    assert (len(steps(late.advance(0.2))), late.lost[2]) == (6, Fraction(14, 100))


def test_policies_that_keep_time_lose_nothing_of_a_frame_within_their_backlog() -> None:
    for overrun in (("carry", 1.0), ("stretch", 2)):
        timestep = FixedTimestep(60, overrun=overrun)
        timestep.begin_frame(0)
        frame = timestep.begin_frame(400_000_000)
        assert (len(frame), frame.is_behind, frame.lost.clamped, frame.lost.dropped) == (15, True, 0, 0)


def test_a_single_step_runs_in_the_next_frame_of_a_paused_timestep() -> None:
    timestep = FixedTimestep(60)
    timestep.begin_frame(0)
    timestep.pause()
    for now in range(16_000_000, 160_000_000, 16_000_000):
        timestep.step_once()
        assert len(timestep.begin_frame(now)) == 1


def test_a_pause_begins_with_the_next_frame_wherever_it_is_called() -> None:
    for moment in ("before the steps", "in a step", "after the steps"):
        timestep = FixedTimestep(100)
        timestep.begin_frame(0)
        frame, steps = timestep.begin_frame(0.03), 0
        if moment == "before the steps":
            timestep.pause()
        for _ in frame:
            steps += 1
            if moment == "in a step":
                timestep.pause()
        if moment == "after the steps":
            timestep.pause()
        frame = timestep.begin_frame(0.06)
        assert (steps, len(list(frame)), frame.lost.paused) == (3, 0, 30_000_000)
        timestep.resume()
        assert timestep.begin_frame(0.09).lost.paused == 30_000_000
        assert len(list(timestep.begin_frame(0.12))) == 3


def test_a_pause_lasts_from_pause_to_resume_and_is_reported() -> None:
    timestep = FixedTimestep(60)
    timestep.begin_frame(0)
    timestep.pause()
    assert timestep.is_paused and timestep.until_next_step is None
    assert timestep.begin_frame(SECOND).lost.paused == SECOND
    timestep.resume()
    assert not timestep.is_paused and timestep.until_next_step == 0
    assert timestep.begin_frame(3 * SECOND).lost.paused == 2 * SECOND
    timestep.resume_dropping()
    assert timestep.begin_frame(4 * SECOND).lost.paused == SECOND
    assert len(timestep.begin_frame(4 * SECOND + 50_000_000)) == 3


def test_steps_that_are_given_back_come_again_or_are_dropped() -> None:
    timestep = FixedTimestep(100, overrun=("carry", 1.0))
    timestep.begin_frame(0)
    assert len(timestep.begin_frame(50_000_000)) == 5
    frame = timestep.give_back(2)
    assert (len(frame), frame.tick, frame.is_behind) == (3, 3, True)
    assert len(timestep.begin_frame(60_000_000)) == 3
    with pytest.raises(Error, match="has 3 steps, not 4"):
        timestep.give_back(4)


def test_frames_are_counted() -> None:
    timestep, stats = FixedTimestep(60), FrameStats()
    for frame in range(30):
        now = frame * 16_666_667
        timestep.begin_frame(now)
        stats.record(timestep)
    assert stats.steps_per_frame[:2] == [1, 29] and stats.dropped == 0
    assert stats.animation_error < 1e-6
    assert stats.frame_time(50) == 16_666_667
    with pytest.raises(Error, match="from 0 to 100"):
        stats.frame_time(101)


def test_the_real_time_factor_is_a_half_where_every_other_step_is_dropped() -> None:
    timestep, stats = FixedTimestep(1000, max_steps=1), FrameStats()
    for frame in range(500):
        timestep.begin_frame(frame * 2_000_000)
        stats.record(timestep)
    assert stats.real_time_factor == pytest.approx(0.5)
    assert stats.total_real_time_factor == pytest.approx(0.5, abs=1e-3)


def test_a_clock_that_follows_a_song_is_even_and_stays_with_it() -> None:
    for block in (128, 1024, 4096):
        clock, last = PlaybackClock(latency=0.0, playback_rate=1, loop_points=None), 0
        for n in range(60 * 60):
            now = n / 60 + n * 7919 % 1000 * 1e-6
            truth = now * 1.0002
            clock.report(PlaybackReport(at=9.0 + now, position=truth * 48_000 // block * block / 48_000))
            time = clock.begin_frame(9.0 + now)
            if n > 300:
                assert abs((time - last) * 60 / 1e9 - 1) < 0.01
                assert abs(clock.position / 1e9 - truth) < 0.004
                assert abs(clock.position_at(9.0 + now) / 1e9 - truth) < 0.004
            last = time
        assert clock.is_following
        assert abs(clock.speed - 1.0002) < 0.001
        assert clock.position_at(70.0) - clock.position == pytest.approx(70e9 - 9e9 - n / 60 * 1e9, abs=2e7)
        assert repr(clock).startswith("<evenstep.PlaybackClock at 59.9")


def test_a_clock_that_follows_the_display_repeats_no_picture() -> None:
    clock, since = RefreshClock((60_000, 1001)), 0
    timestep = FixedTimestep((60_000, 1001), clock=clock)
    for n in range(12_000):
        frame = timestep.begin_frame(n / 120 + n * 7919 % 500 * 1e-6)
        since += 1
        if len(frame) > 0:
            assert n < 1200 or (len(frame), since) == (1, 2)
            since = 0
    assert clock.is_following
    clock.pause()
    stood = clock.begin_frame(200.0)
    assert clock.begin_frame(200.5) == stood
    assert clock.time_at(201.0) == clock.time_at(202.0)


def test_a_schedule_takes_1024_tasks_and_refuses_the_next() -> None:
    schedule = Schedule()
    assert [schedule.add(60) for _ in range(1024)] == list(range(1024))
    with pytest.raises(Error, match="1024 tasks"):
        schedule.add(60)


def test_statistics_are_exact_to_the_nanosecond_and_the_last_bin_is_of_seven_steps_and_more() -> None:
    timestep, stats, now = FixedTimestep(100), FrameStats(), 0
    timestep.begin_frame(0)
    deltas = [60_000_001, 70_000_001, 80_000_001, 9_999_999]
    for delta in deltas:
        now += delta
        timestep.begin_frame(now)
        stats.record(timestep)
    assert stats.steps_per_frame == [0, 1, 0, 0, 0, 0, 1, 2]
    assert [stats.frame_time(percent) for percent in (0, 25, 26, 50, 75, 100)] == [
        9_999_999, 9_999_999, 60_000_001, 60_000_001, 70_000_001, 80_000_001,
    ]
