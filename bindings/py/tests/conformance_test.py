"""Runs the conformance script: settings, times of frames and exact answers, which the Rust core has made."""

import struct
from collections.abc import Callable
from fractions import Fraction
from itertools import takewhile
from pathlib import Path

from evenstep import FixedTimestep, Frame, FrameClock, InputBuffer, PlaybackClock, PlaybackReport, RefreshClock, Smoothed

SCRIPT = Path(__file__).parents[3] / "stored" / "conformance.txt"

SETTINGS: dict[str, Callable[..., None]] = {
    "max_delta": lambda timestep, delta: timestep.set_max_delta(delta),
    "max_steps": lambda timestep, steps: timestep.set_max_steps(steps),
    "unset_max_steps": lambda timestep: timestep.set_max_steps(None),
    "drop": lambda timestep: timestep.set_overrun("drop"),
    "carry": lambda timestep, backlog: timestep.set_overrun(("carry", backlog)),
    "stretch": lambda timestep, *speed: timestep.set_overrun(("stretch", speed)),
    "scale": lambda timestep, *scale: timestep.set_time_scale(scale),
    "step_once": lambda timestep: timestep.step_once(),
    "pause": lambda timestep: timestep.pause(),
    "resume": lambda timestep: timestep.resume(),
    "resume_dropping": lambda timestep: timestep.resume_dropping(),
    "reset": lambda timestep: timestep.reset(),
}

INPUT: dict[str, Callable[..., None]] = {
    "press": lambda keys, key: keys.press(key),
    "release": lambda keys, key: keys.release(key),
    "release_all": lambda keys: keys.release_all(),
    "motion": lambda keys, x, y: keys.motion(x, y),
    "wheel": lambda keys, x, y: keys.wheel(x, y),
    "press_at": lambda keys, at, key: keys.press_at(at, key),
    "release_at": lambda keys, at, key: keys.release_at(at, key),
    "release_all_at": lambda keys, at: keys.release_all_at(at),
    "motion_at": lambda keys, at, x, y: keys.motion_at(at, x, y),
    "wheel_at": lambda keys, at, x, y: keys.wheel_at(at, x, y),
}


FOLLOW: dict[str, Callable[..., None]] = {
    "follow_latency": lambda clock, latency: clock.set_latency(latency),
    "follow_rate": lambda clock, *rate: clock.set_playback_rate(rate),
    "follow_loop": lambda clock, *points: clock.set_loop_points(points),
    "follow_pause": lambda clock: clock.pause(),
    "follow_resume": lambda clock: clock.resume(),
    "follow_report": lambda clock, at, position: clock.report(PlaybackReport(at=at, position=position)),
}


def answer(*words: object) -> str:
    return " ".join(["=", *map(str, words)])


def exact(time: Fraction) -> str:
    seconds, rest = divmod(time, 1)
    return f"{seconds}+{rest.numerator:x}/{rest.denominator:x}"


def bits_of(number: float) -> int:
    return int.from_bytes(struct.pack("<d", number), "little")


def frame_answer(frame: Frame) -> str:
    bits = bits_of(frame.alpha)
    first = frame.tick - len(frame)
    assert [step.tick for step in frame] == list(range(first, frame.tick))
    lost, times = frame.lost, [exact(time) for time in (frame.overstep, frame.shown_time())]
    counts = (first, frame.tick, frame.single_steps, f"{bits:x}", lost.clamped, lost.paused, lost.dropped)
    return answer(*counts, int(frame.is_behind), *times)


def play_answer(timestep: FixedTimestep, keys: InputBuffer, now: int) -> str:
    frame = timestep.begin_frame(now)
    keys.begin_frame(timestep)
    counts = keys.counts
    seen: list[object] = [
        counts.waiting,
        counts.late,
        counts.reordered,
        counts.refused,
        counts.paused,
        counts.foreign,
    ]
    for step in frame:
        controls = keys.controls(step)
        seen.append(step.tick)
        for key in (1, 2, 3):
            flags = controls.is_held_at_end(key) + 2 * controls.is_down(key) + 4 * controls.was_released(key)
            seen.append(10 * controls.presses(key) + flags)
        seen.extend(f"{bits_of(by):x}" for by in (*controls.motion, *controls.wheel))
    return answer(*seen)


def double(bits: int) -> float:
    (number,) = struct.unpack("<d", struct.pack("<q", bits))
    return float(number)


def smoothed_answer(smoothed: Smoothed[float], alpha: int) -> str:
    (bits,) = struct.unpack("<Q", struct.pack("<d", smoothed.at(double(alpha))))
    return answer(f"{bits:x}", int(smoothed.is_teleport))


BEGINNING = ("filter", "lookahead")


def begun(numbers: list[int], following: list[str]) -> FixedTimestep:
    """A timestep, with what the next lines have for its beginning."""
    clock = FrameClock() if "filter" in following else None
    return FixedTimestep((numbers[0], numbers[1]), clock=clock, lookahead="lookahead" in following)


def test_python_answers_as_the_core_to_the_last_digit() -> None:
    lines = SCRIPT.read_text().splitlines()
    timestep, keys, smoothed = FixedTimestep(1), InputBuffer(), Smoothed(0.0)
    clock: PlaybackClock | RefreshClock = PlaybackClock()
    got, answers = "", 0
    for at, line in enumerate(lines):
        if line.startswith("#"):
            continue
        name, *words = line.split()
        if name == "=":
            assert got == line, f"{SCRIPT.name}:{at + 1}: {lines[at - 1]}"
            answers += 1
            continue
        numbers = [int(word) for word in words]
        match name:
            case "is_paused":
                got = answer(int(timestep.is_paused))
            case "backward_frames":
                got = answer(timestep.backward_frames)
            case "timestep":
                timestep = begun(numbers, list(takewhile(lambda line: line in BEGINNING, lines[at + 1 :])))
            case "frame":
                got = frame_answer(timestep.begin_frame(numbers[0]))
            case "give_back":
                got = frame_answer(timestep.give_back(numbers[0]))
            case "input":
                keys = InputBuffer(capacity=numbers[0], keep_pauses=numbers[1] == 1)
            case "play":
                got = play_answer(timestep, keys, numbers[0])
            case "smoothed":
                smoothed = Smoothed(double(numbers[0]), wrap=double(numbers[1]) or None)
            case "smoothed_step":
                smoothed.begin_step()
                smoothed.current = double(numbers[0])
            case "smoothed_previous":
                smoothed.set_previous(double(numbers[0]))
            case "smoothed_teleport":
                smoothed.teleport()
            case "smoothed_shift":
                smoothed.shift(double(numbers[0]))
            case "smoothed_at":
                got = smoothed_answer(smoothed, numbers[0])
            case "playback":
                clock = PlaybackClock()
            case "refresh":
                clock = RefreshClock((numbers[0], numbers[1]))
            case "follow_frame":
                time = clock.begin_frame(numbers[0])
                got = answer(time, getattr(clock, "position", 0), int(clock.speed * 2**24), int(clock.is_following))
            case "follow_at":
                position = clock.position_at(numbers[0]) if isinstance(clock, PlaybackClock) else 0
                got = answer(clock.time_at(numbers[0]), position)
            case _ if name in FOLLOW:
                FOLLOW[name](clock, *numbers)
            case _ if name in INPUT:
                INPUT[name](keys, *numbers)
            case "lookahead" | "filter":
                pass
            case _:
                SETTINGS[name](timestep, *numbers)
    assert answers > 1300
