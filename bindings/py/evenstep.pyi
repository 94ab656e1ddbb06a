"""Runs games and simulations in equal steps, and diagnoses stutter in recordings of frame times."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from os import PathLike
from types import GenericAlias
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    Protocol,
    Self,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    final,
    overload,
    type_check_only,
)

from typing_extensions import Buffer, disjoint_base

__all__ = [
    "Chain",
    "Controls",
    "Error",
    "EventQueue",
    "FixedTimestep",
    "FollowClock",
    "Frame",
    "FrameClock",
    "FrameStats",
    "GameLoop",
    "InputBuffer",
    "InputCounts",
    "InputEvent",
    "Lost",
    "Poses",
    "Poses2",
    "Poses3",
    "Report",
    "Schedule",
    "Smoothed",
    "Step",
    "Table",
    "TraceError",
    "__version__",
    "analyze",
    "blend_qpos",
    "simulate",
]

__version__: str

# An int of nanoseconds, as of time.perf_counter_ns(), or a float of seconds, as of time.perf_counter().
_Time: TypeAlias = SupportsIndex | float
# A number, whose value is that of its decimal digits, or numerator and denominator.
_Ratio: TypeAlias = float | Fraction | tuple[int, int]
# The path of a recording, or its bytes.
_Source: TypeAlias = str | PathLike[str] | bytes
_Overrun: TypeAlias = Literal["drop"] | tuple[Literal["carry"], _Time] | tuple[Literal["stretch"], _Ratio]
_Smoothing: TypeAlias = Literal["interpolate", "extrapolate", "none"]

@type_check_only
class _NumpyArray(Protocol):
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

# An array of numpy, array.array, or anything else with a buffer.
_Array: TypeAlias = Buffer | _NumpyArray

class Error(ValueError):
    """A call failed. It has changed nothing."""

    code: Literal[
        "Negative", "NotFinite", "Ratio", "Range", "Size", "Missing", "Order", "Full", "Trace"
    ]

class TraceError(Error):
    """A recording cannot be used."""

    file: str
    line: int | None
    field: str | None

@final
class Table:
    """A table of columns that pyarrow, polars, pandas and duckdb read without copying."""

    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Chain:
    """The frames of one program in one window: its metrics, its diagnosis, and its frames."""

    process: Final[str]
    pid: Final[str]
    swap_chain: Final[str]
    metrics: Final[dict[str, Any]]
    diagnosis: Final[list[dict[str, Any]]]
    frame_times: Final[Table]
    presents: Final[Table]

@final
class Report:
    """The measurements of a recording."""

    file: Final[str]
    format: Final[str]
    warnings: Final[list[str]]
    chains: Final[list[Chain]]
    main: Final[Chain]
    def json(self) -> str: ...

def analyze(source: _Source, *, lenient: bool = False, chain: str | None = None, columns: bool = True) -> Report:
    """Measures and diagnoses a recording."""

def simulate(
    source: _Source,
    *,
    rate: _Ratio | None = None,
    display: _Ratio | str | None = None,
    chain: str | None = None,
    lenient: bool = False,
) -> dict[str, Any]:
    """Simulates a game on the frames of a recording, with every method of stepping and drawing."""

@final
class Step:
    """A step of the simulation."""

    tick: Final[int]
    dt: Final[float]

@final
class Lost:
    """The time and steps that a frame lost."""

    clamped: Final[int]
    paused: Final[int]
    dropped: Final[int]

@final
class Frame:
    """The plan for a frame: run its steps, which it iterates over, then draw at alpha."""

    tick: Final[int]
    alpha: Final[float]
    lost: Final[Lost]
    single_steps: Final[int]
    is_behind: Final[bool]
    overstep: Final[Fraction]
    def shown_time(self, smoothing: _Smoothing = "interpolate") -> Fraction: ...
    def __iter__(self) -> Iterator[Step]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

@final
class FrameClock:
    """Smooths the times of frames."""

    def __new__(cls) -> FrameClock: ...
    def begin_frame(self, now: _Time) -> float: ...
    @property
    def backward_frames(self) -> int: ...

@final
class FollowClock:
    """A clock that follows the position of a song, or the refreshes of the display."""

    def __new__(
        cls,
        *,
        latency: _Time | None = None,
        playback_rate: _Ratio | None = None,
        loop_points: tuple[_Time, _Time] | None = None,
    ) -> FollowClock: ...
    @staticmethod
    def of_display(rate: _Ratio) -> FollowClock: ...
    def set_latency(self, latency: _Time) -> None: ...
    def set_playback_rate(self, rate: _Ratio) -> None: ...
    def set_loop_points(self, loop_points: tuple[_Time, _Time] | None) -> None: ...
    def report(self, at: _Time, position: _Time) -> None: ...
    def begin_frame(self, now: _Time) -> int: ...
    def time_at(self, at: _Time) -> int: ...
    def position_at(self, at: _Time) -> int: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    @property
    def position(self) -> int: ...
    @property
    def is_following(self) -> bool: ...
    @property
    def speed(self) -> float: ...

@disjoint_base
class FixedTimestep:
    """Takes the times of frames and grants equal steps."""

    def __new__(
        cls,
        rate: _Ratio,
        *,
        clock: FrameClock | None = None,
        max_delta: _Time | None = None,
        max_steps: int | None = None,
        overrun: _Overrun | None = None,
        time_scale: _Ratio | None = None,
        lookahead: bool = False,
    ) -> Self: ...
    def begin_frame(self, now: _Time) -> Frame: ...
    def advance(self, delta: float) -> Frame: ...
    def give_back(self, unrun: int) -> Frame: ...
    def set_max_delta(self, max_delta: _Time | None) -> None: ...
    def set_max_steps(self, max_steps: int | None) -> None: ...
    def set_overrun(self, overrun: _Overrun) -> None: ...
    def set_time_scale(self, scale: _Ratio) -> None: ...
    def step_once(self) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def resume_dropping(self) -> None: ...
    def reset(self) -> None: ...
    @property
    def is_paused(self) -> bool: ...
    @property
    def backward_frames(self) -> int: ...
    @property
    def tick(self) -> int: ...
    @property
    def until_next_step(self) -> int | None: ...

@final
class GameLoop(FixedTimestep):
    """A game's loop: begin a frame, run its steps, draw."""

    def __new__(cls, rate: _Ratio, *, input: InputBuffer | None = None) -> GameLoop: ...
    def begin_frame(self, now: _Time | None = None) -> Frame: ...
    def limit_fps(self, fps: _Ratio) -> None: ...
    @property
    def input(self) -> InputBuffer: ...

@disjoint_base
class Poses:
    """Bodies in the plane (Poses2) or in space (Poses3), one body a row."""

    def commit(self, states: _Array) -> None: ...
    def teleport(self, row: int) -> None: ...
    def set_previous(self, row: int, state: Sequence[float] | _NumpyArray) -> None: ...
    def remove(self, row: int) -> None: ...
    def shift(self, by: Sequence[float]) -> None: ...
    def draw(self, alpha: float, out: _Array) -> None: ...
    def __len__(self) -> int: ...

@final
class Poses2(Poses):
    """Bodies in the plane that are drawn between their last two states, one body a row."""

    def __new__(cls) -> Poses2: ...

@final
class Poses3(Poses):
    """Bodies in space that are drawn between their last two states, one body a row."""

    def __new__(cls) -> Poses3: ...

@final
class InputEvent:
    """An event of a step."""

    kind: Final[Literal["press", "release", "motion", "wheel", "release-all", "hold"]]
    key: Final[int]
    x: Final[float]
    y: Final[float]
    time: Final[int]

@final
class InputCounts:
    """Counts of input: what waits, and what was not delivered in the ordinary way."""

    waiting: Final[int]
    late: Final[int]
    reordered: Final[int]
    refused: Final[int]
    paused: Final[int]
    foreign: Final[int]

@final
class Controls:
    """What is held in a step, and what was pressed, released and moved in it."""

    def is_held_at_end(self, key: int) -> bool: ...
    def is_down(self, key: int) -> bool: ...
    def presses(self, key: int) -> int: ...
    def was_released(self, key: int) -> bool: ...
    motion: Final[tuple[float, float]]
    wheel: Final[tuple[float, float]]

@final
class InputBuffer:
    """Keys, pointer and wheel with timestamps: each event reaches exactly one step."""

    def __new__(cls, *, capacity: int = 1024, keep_pauses: bool = False) -> InputBuffer: ...
    def press(self, key: int) -> None: ...
    def press_at(self, at: _Time, key: int) -> None: ...
    def release(self, key: int) -> None: ...
    def release_at(self, at: _Time, key: int) -> None: ...
    def release_all(self) -> None: ...
    def release_all_at(self, at: _Time) -> None: ...
    def motion(self, x: float, y: float) -> None: ...
    def motion_at(self, at: _Time, x: float, y: float) -> None: ...
    def wheel(self, x: float, y: float) -> None: ...
    def wheel_at(self, at: _Time, x: float, y: float) -> None: ...
    def begin_frame(self, timestep: FixedTimestep) -> None: ...
    def begin_task(self, schedule: Schedule, task: int) -> None: ...
    def controls(self, step: Step) -> Controls: ...
    def events(self, step: Step) -> list[InputEvent]: ...
    @property
    def counts(self) -> InputCounts: ...

_Event = TypeVar("_Event")

@final
class EventQueue(Generic[_Event]):
    """A queue of events of steps, which delivers each event in the first frame that shows it."""

    def __new__(
        cls, *, capacity: int = 256, overflow: Literal["drop-oldest", "drop-newest"] = "drop-oldest"
    ) -> EventQueue[_Event]: ...
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def emit(self, step: Step, event: _Event) -> None: ...
    def due(self, frame: Frame, smoothing: _Smoothing = "interpolate") -> list[tuple[int, _Event]]: ...
    def retract_from(self, tick: int) -> None: ...
    @property
    def dropped(self) -> int: ...
    @property
    def waiting(self) -> int: ...

@final
class Schedule:
    """Tasks at different rates, stepped from one clock."""

    def __new__(cls, *, clock: FrameClock | None = None) -> Schedule: ...
    def add(self, rate: _Ratio, *, phase: _Time | None = None) -> int: ...
    def begin_frame(self, now: _Time) -> Schedule: ...
    def advance(self, delta: float) -> Schedule: ...
    def __iter__(self) -> Schedule: ...
    def __next__(self) -> tuple[int, Step]: ...
    def refuse(self) -> None: ...
    def alpha(self, task: int) -> float: ...
    def tick(self, task: int) -> int: ...
    def set_time_scale(self, scale: _Ratio) -> None: ...
    def set_max_delta(self, max_delta: _Time | None) -> None: ...
    def set_max_behind(self, max_behind: _Time) -> None: ...
    def set_max_advance(self, max_advance: _Time) -> None: ...
    def set_overrun(self, overrun: _Overrun) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def resume_dropping(self) -> None: ...
    def reset(self) -> None: ...
    @property
    def is_paused(self) -> bool: ...
    @property
    def backward_frames(self) -> int: ...
    @property
    def now(self) -> Fraction: ...
    @property
    def lost(self) -> tuple[int, int, Fraction]: ...
    @property
    def is_behind(self) -> bool: ...
    @property
    def until_next_step(self) -> int | None: ...

@final
class FrameStats:
    """Statistics of the last 240 frames."""

    def __new__(cls) -> FrameStats: ...
    def record(self, timestep: FixedTimestep) -> None: ...
    def frame_time(self, percentile: float) -> int | None: ...
    @property
    def real_time_factor(self) -> float: ...
    @property
    def total_real_time_factor(self) -> float: ...
    @property
    def steps_per_frame(self) -> list[int]: ...
    @property
    def dropped(self) -> int: ...
    @property
    def animation_error(self) -> float: ...

# A float, or an array of numbers.
_State = TypeVar("_State")

@final
class Smoothed(Generic[_State]):
    """A number of the simulation or a numpy array of them, now and before the last step, which is drawn between both."""

    current: _State
    @property
    def previous(self) -> _State: ...
    @property
    def is_teleport(self) -> bool: ...
    @overload
    def __new__(cls, state: float, *, wrap: float | None = None) -> Smoothed[float]: ...
    @overload
    def __new__(cls, state: _State, *, wrap: float | None = None) -> Smoothed[_State]: ...
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def begin_step(self) -> None: ...
    def set_previous(self, state: Any, row: Any = None) -> None: ...
    def teleport(self) -> None: ...
    def shift(self, by: float | _State) -> None: ...
    def at(self, alpha: float) -> _State: ...

@type_check_only
class _MujocoModel(Protocol):
    @property
    def jnt_type(self) -> _Array: ...
    @property
    def jnt_qposadr(self) -> _Array: ...

def blend_qpos(model: _MujocoModel, previous: _Array, current: _Array, alpha: float, out: _Array) -> None:
    """Writes the positions (qpos) of a MuJoCo model, blended between two states, to an array of float64."""
