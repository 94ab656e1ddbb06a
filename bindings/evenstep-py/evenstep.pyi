"""Diagnoses stutter in recordings of frame times, and runs simulations in equal steps."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from os import PathLike
from types import GenericAlias
from typing import (
    Any,
    Generic,
    Literal,
    NotRequired,
    Protocol,
    SupportsIndex,
    TypeAlias,
    TypedDict,
    TypeVar,
    final,
    type_check_only,
)

from typing_extensions import Buffer, disjoint_base

__all__ = [
    "Chain",
    "Error",
    "EventQueue",
    "FixedTimestep",
    "Frame",
    "FrameStats",
    "InputBuffer",
    "InputEvent",
    "Poses",
    "Poses2",
    "Poses3",
    "Report",
    "Schedule",
    "Smoothed",
    "Step",
    "Steps",
    "Table",
    "TaskStep",
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
_Filter: TypeAlias = Literal["display-clock"]
_Quaternion: TypeAlias = tuple[float, float, float, float]

@type_check_only
class _NumpyArray(Protocol):
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

# An array of numpy, array.array, or anything else with a buffer.
_Array: TypeAlias = Buffer | _NumpyArray

class Error(ValueError):
    """A call failed. It has changed nothing."""

    code: Literal[
        "Negative", "NotFinite", "Ratio", "Range", "Size", "Missing", "Order", "TimeWentBack", "Full", "Trace"
    ]

class TraceError(Error):
    """A recording cannot be used."""

    file: str
    line: int | None
    field: str | None

@type_check_only
class _FrameTimes(TypedDict):
    mean: float
    median: float
    p95: float
    p99: float
    p999: float
    max: float
    std: float

@type_check_only
class _AnimationErrors(TypedDict):
    count: int
    mean_abs: float
    rms: float
    p99_abs: float
    max_abs: float

@type_check_only
class _Hitch(TypedDict):
    at_s: float
    ms: float
    of: Literal["frame", "display"]

@type_check_only
class _Missing(TypedDict):
    name: str
    reason: str

@type_check_only
class _Metrics(TypedDict):
    frames: int
    displayed: NotRequired[int]
    not_displayed: NotRequired[int]
    generated: int
    seconds: float
    fps_average: float
    frame_time_ms: _FrameTimes
    fps_low_1pct: float
    fps_low_01pct: float
    fps_low_1pct_by_time: float
    fps_low_01pct_by_time: float
    displayed_fps_average: NotRequired[float]
    display_interval_ms: NotRequired[_FrameTimes]
    displayed_fps_low_1pct: NotRequired[float]
    displayed_fps_low_01pct: NotRequired[float]
    animation_error_ms: NotRequired[_AnimationErrors]
    display_interval_std_ms: NotRequired[float]
    stutter_time_pct: float
    dropped_pct: NotRequired[float]
    jank_pct: NotRequired[float]
    gpu_bound_pct: NotRequired[float]
    cpu_bound_pct: NotRequired[float]
    until_displayed_ms: NotRequired[_FrameTimes]
    pc_latency_ms: NotRequired[_FrameTimes]
    click_to_photon_ms: NotRequired[_FrameTimes]
    hitches: list[_Hitch]
    absent: list[_Missing]

@type_check_only
class _Diagnosis(TypedDict):
    kind: Literal[
        "even",
        "uneven-display",
        "missed-refreshes",
        "uneven-frames",
        "hitches",
        "gpu-bound",
        "cpu-bound",
        "frame-generation",
        "unknown",
    ]
    evidence: str
    cure: str
    refresh_hz: NotRequired[float]

@type_check_only
class _StepsPerFrame(TypedDict):
    min: int
    mean: float
    max: int

@type_check_only
class _Outcome(TypedDict):
    strategy: str
    filter: str
    error_rms_ms: float
    error_p99_ms: float
    error_max_ms: float
    latency_ms: float
    steps_per_frame: _StepsPerFrame
    lost_ms: float

@type_check_only
class _Recommendation(TypedDict):
    strategy: str
    filter: str
    reason: str
    code: str

@type_check_only
class _Comparison(TypedDict):
    file: str
    chain: str
    frames: int
    display: str
    rate_hz: float
    displayed: int
    dropped: int
    repeated: NotRequired[int]
    outcomes: list[_Outcome]
    recommended: _Recommendation

@type_check_only
class _StatsReport(TypedDict):
    frames: int
    steps_per_frame: list[int]
    alpha_least: float
    alpha_mean: float
    alpha_largest: float
    frame_time_median: int
    frame_time_p99: int
    frame_time_longest: int
    clamped: int
    suspended: int
    dropped: int
    animation_error: float

@final
class Table:
    """A table of columns that pyarrow, polars, pandas and duckdb read without copying."""

    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Chain:
    """The frames of one program in one window: its metrics, its diagnosis, and its frames."""

    @property
    def process(self) -> str: ...
    @property
    def pid(self) -> str: ...
    @property
    def swap_chain(self) -> str: ...
    @property
    def metrics(self) -> _Metrics: ...
    @property
    def diagnosis(self) -> list[_Diagnosis]: ...
    @property
    def frame_times(self) -> Table: ...
    @property
    def presents(self) -> Table: ...

@final
class Report:
    """The measurements of a recording."""

    @property
    def file(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def chains(self) -> list[Chain]: ...
    @property
    def main(self) -> Chain: ...
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
) -> _Comparison:
    """Simulates a game on the frames of a recording, with every method of stepping and drawing."""

@final
class Step:
    """A step of the simulation."""

    @property
    def tick(self) -> int: ...
    @property
    def dt(self) -> float: ...

@final
class Steps:
    """The steps of a frame, one after the other."""

    def __iter__(self) -> Steps: ...
    def __next__(self) -> Step: ...

@final
class Frame:
    """The plan for a frame: run its steps, which it iterates over, then draw at alpha."""

    @property
    def first_tick(self) -> int: ...
    @property
    def tick(self) -> int: ...
    @property
    def alpha(self) -> float: ...
    @property
    def dt(self) -> float: ...
    @property
    def clamped(self) -> int: ...
    @property
    def suspended(self) -> int: ...
    @property
    def dropped(self) -> int: ...
    @property
    def single_steps(self) -> int: ...
    @property
    def is_behind(self) -> bool: ...
    def __iter__(self) -> Steps: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

@final
class FixedTimestep:
    """A fixed timestep: it takes frame times and grants equal steps."""

    def __new__(
        cls,
        rate: _Ratio,
        *,
        filters: Sequence[_Filter] = ...,
        max_delta: _Time | None = None,
        max_steps: int | None = None,
        overrun: _Overrun | None = None,
        time_scale: _Ratio | None = None,
        lookahead: bool = False,
    ) -> FixedTimestep: ...
    def begin_frame(self, now: _Time) -> Frame: ...
    def advance(self, delta: float) -> Frame: ...
    def give_back(self, unrun: int) -> Frame: ...
    def set_max_delta(self, max_delta: _Time) -> None: ...
    def set_max_steps(self, max_steps: int | None) -> None: ...
    def set_overrun(self, overrun: _Overrun) -> None: ...
    def set_time_scale(self, scale: _Ratio) -> None: ...
    def step_once(self) -> None: ...
    def suspend(self) -> None: ...
    def resume(self) -> None: ...
    def resync(self) -> None: ...
    def reset(self) -> None: ...
    @property
    def is_suspended(self) -> bool: ...
    @property
    def tick(self) -> int: ...
    @property
    def max_steps(self) -> int: ...
    @property
    def delta(self) -> int: ...
    @property
    def until_next_step(self) -> int | None: ...
    @property
    def overstep(self) -> Fraction: ...
    @property
    def current_time(self) -> Fraction: ...
    @property
    def drawn_time(self) -> Fraction: ...
    @property
    def extrapolated_time(self) -> Fraction: ...

@disjoint_base
class Poses:
    """Bodies in the plane (Poses2) or in space (Poses3), one body a row."""

    def remove(self, row: int) -> None: ...
    def commit(self, states: _Array | None = None) -> None: ...
    def teleport(self, row: int) -> None: ...
    def draw(self, alpha: float, out: _Array) -> None: ...
    def draw_matrices(self, alpha: float, out: _Array) -> None: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

@final
class Poses2(Poses):
    """Bodies in the plane that are drawn between their last two states, one body a row."""

    def __new__(cls) -> Poses2: ...
    def add(self, x: float, y: float, angle: float = 0.0) -> int: ...
    def set(self, row: int, x: float, y: float, angle: float = 0.0) -> None: ...
    def shift(self, row: int, x: float, y: float) -> None: ...

@final
class Poses3(Poses):
    """Bodies in space that are drawn between their last two states, one body a row."""

    def __new__(cls) -> Poses3: ...
    def add(self, x: float, y: float, z: float, rotation: _Quaternion = ...) -> int: ...
    def set(self, row: int, x: float, y: float, z: float, rotation: _Quaternion = ...) -> None: ...
    def shift(self, row: int, x: float, y: float, z: float) -> None: ...

@final
class TaskStep:
    """A step of a task."""

    @property
    def task(self) -> int: ...
    @property
    def tick(self) -> int: ...
    @property
    def dt(self) -> float: ...

_Tick: TypeAlias = int | Step | TaskStep

@final
class InputEvent:
    """An event of a step."""

    @property
    def kind(self) -> Literal["press", "release", "motion", "wheel", "release-all", "hold"]: ...
    @property
    def key(self) -> int: ...
    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def time(self) -> int: ...

@final
class InputBuffer:
    """Keys, pointer and wheel with timestamps: each event reaches exactly one step."""

    def __new__(cls, *, capacity: int = 1024, keeps_pauses: bool = False) -> InputBuffer: ...
    def press(self, key: int, time: _Time) -> None: ...
    def release(self, key: int, time: _Time) -> None: ...
    def release_all(self, time: _Time) -> None: ...
    def motion(self, x: float, y: float, time: _Time) -> None: ...
    def wheel(self, x: float, y: float, time: _Time) -> None: ...
    def begin_frame(self, timestep: FixedTimestep) -> None: ...
    def begin_task(self, schedule: Schedule, task: int) -> None: ...
    def begin_step(self, step: _Tick) -> None: ...
    def events(self) -> list[InputEvent]: ...
    def is_held(self, key: int) -> bool: ...
    def is_down(self, key: int) -> bool: ...
    def presses(self, key: int) -> int: ...
    def was_released(self, key: int) -> bool: ...
    @property
    def moved(self) -> tuple[float, float]: ...
    @property
    def turned(self) -> tuple[float, float]: ...
    @property
    def late(self) -> int: ...
    @property
    def reordered(self) -> int: ...
    @property
    def refused(self) -> int: ...
    @property
    def paused(self) -> int: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

_Event = TypeVar("_Event")

@final
class EventQueue(Generic[_Event]):
    """A queue of events of steps, which delivers each event in the first frame that shows it."""

    def __new__(
        cls, *, capacity: int = 256, overflow: Literal["drop-oldest", "drop-newest"] = "drop-oldest"
    ) -> EventQueue[_Event]: ...
    def __class_getitem__(cls, item: Any) -> GenericAlias: ...
    def emit(self, step: _Tick, event: _Event) -> bool: ...
    def seen(
        self, timestep: FixedTimestep, seen: Literal["blended", "extrapolated", "at-once"] = "blended"
    ) -> list[tuple[int, _Event]]: ...
    def retract_from(self, step: _Tick) -> None: ...
    @property
    def dropped(self) -> int: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

@final
class Schedule:
    """Tasks at different rates, stepped from one clock."""

    def __new__(
        cls,
        *,
        filters: Sequence[_Filter] = ...,
        max_delta: _Time | None = None,
        max_behind: _Time | None = None,
        overrun: _Overrun | None = None,
    ) -> Schedule: ...
    def add(self, rate: _Ratio, *, phase: _Time = ...) -> int: ...
    def begin_frame(self, now: _Time) -> None: ...
    def advance(self, delta: float) -> None: ...
    def __iter__(self) -> Iterator[TaskStep]: ...
    def __next__(self) -> TaskStep: ...
    def refuse(self) -> None: ...
    def alpha(self, task: int) -> float: ...
    def tick(self, task: int) -> int: ...
    def set_time_scale(self, scale: _Ratio) -> None: ...
    def set_max_delta(self, max_delta: _Time) -> None: ...
    def set_max_behind(self, max_behind: _Time) -> None: ...
    def set_max_advance(self, max_advance: _Time) -> None: ...
    def set_overrun(self, overrun: _Overrun) -> None: ...
    def suspend(self) -> None: ...
    def resume(self) -> None: ...
    def reset(self) -> None: ...
    @property
    def now(self) -> Fraction: ...
    @property
    def is_behind(self) -> bool: ...
    @property
    def until_next_step(self) -> int | None: ...

@final
class FrameStats:
    """Statistics of the last 240 frames."""

    def __new__(cls) -> FrameStats: ...
    def record(self, timestep: FixedTimestep) -> None: ...
    def frame_time(self, percent: float) -> int | None: ...
    def report(self) -> _StatsReport: ...

@final
class Smoothed:
    """A number of the simulation, now and before the last step, which is drawn between both.

    A number with wrap, such as 360.0 for an angle in degrees or the width of a world that is left on one side and entered on
    the other, is blended the shorter way.
    """

    current: float
    def __new__(cls, state: float, *, wrap: float | None = None) -> Smoothed: ...
    @property
    def previous(self) -> float: ...
    @property
    def is_teleport(self) -> bool: ...
    def begin_step(self) -> None: ...
    def teleport(self) -> None: ...
    def shift(self, by: float) -> None: ...
    def at(self, alpha: float) -> float: ...

@type_check_only
class _MujocoModel(Protocol):
    @property
    def jnt_type(self) -> _Array: ...
    @property
    def jnt_qposadr(self) -> _Array: ...

def blend_qpos(model: _MujocoModel, previous: _Array, current: _Array, alpha: float, out: _Array) -> None:
    """Writes the positions (qpos) of a MuJoCo model, blended between two states, to an array of float64."""
