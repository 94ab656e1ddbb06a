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
    type_check_only,
)

from typing_extensions import Buffer, disjoint_base

from ._recording import Chain as Chain, Report as Report
from ._smoothed import Smoothed as Smoothed

__all__ = [
    "Chain",
    "Controls",
    "Error",
    "EventQueue",
    "FixedTimestep",
    "Frame",
    "FrameClock",
    "FrameStats",
    "GameLoop",
    "InputBuffer",
    "InputCounts",
    "InputEvent",
    "Lost",
    "PlaybackClock",
    "PlaybackReport",
    "Poses",
    "Poses2",
    "Poses3",
    "RefreshClock",
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
"""The version of the package."""

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
    """What was wrong, for programs."""

class TraceError(Error):
    """A recording cannot be used."""

    file: str
    """The path, or the name of the bytes."""
    line: int | None
    """The line, from 1; None where there is none."""
    field: str | None
    """The column or field; None where there is none."""

@final
class Table:
    """A table of columns that pyarrow, polars, pandas and duckdb read without copying."""

    @property
    def column_names(self) -> list[str]:
        """The names of its columns, in their order."""
    def __len__(self) -> int:
        """The number of its rows."""
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The columns for a library that reads Arrow; a requested schema is ignored."""

def analyze(source: _Source, *, lenient: bool = False, chain: str | None = None, columns: bool = True) -> Report:
    """Measures and diagnoses a recording, a path or bytes. `lenient` skips unreadable rows; `chain` keeps that chain only; without `columns`
    memory does not grow with the file. Raises TraceError if it cannot be used, OSError if it cannot be opened."""

def simulate(
    source: _Source,
    *,
    rate: _Ratio | None = None,
    display: _Ratio | str | None = None,
    chain: str | None = None,
    lenient: bool = False,
) -> dict[str, Any]:
    """Simulates a game on the frames of a recording, with every method of stepping and drawing. `rate` in steps a second, `display` in hertz or
    "vrr". Returns what `evenstep simulate --json` prints; errors as of analyze."""

@final
class Step:
    """A step of the simulation."""

    tick: Final[int]
    """The number of the step, from 0."""
    dt: Final[float]
    """Its length in seconds, the same for every step."""

@final
class Lost:
    """The time and steps that a frame lost."""

    clamped: Final[int]
    """Nanoseconds of the frame beyond the longest delta."""
    paused: Final[int]
    """Nanoseconds of a pause."""
    dropped: Final[int]
    """The number of steps that were dropped."""

@final
class Frame:
    """The plan for a frame: run its steps, which it iterates over, then draw at alpha."""

    tick: Final[int]
    """The tick of the next step, after those of this frame."""
    alpha: Final[float]
    """Where to draw: 0 the previous state, towards 1 the current one."""
    lost: Final[Lost]
    """The time and steps that it lost."""
    single_steps: Final[int]
    """How many of its steps are of step_once."""
    is_behind: Final[bool]
    """Whether steps are kept back for later frames."""
    overstep: Final[Fraction]
    """Seconds that have arrived and are less than a step, exact."""
    def shown_time(self, smoothing: _Smoothing = "interpolate") -> Fraction:
        """The simulated seconds that it shows if it is drawn with this smoothing, exact."""
    def __iter__(self) -> Iterator[Step]:
        """Its steps, from the first on each time."""
    def __len__(self) -> int:
        """The number of its steps."""
    def __bool__(self) -> bool:
        """True, also without steps."""

@final
class FrameClock:
    """Smooths the times of frames."""

    def __new__(cls) -> FrameClock:
        """A clock of its own for one timestep or schedule."""
    def begin_frame(self, now: _Time) -> float:
        """Takes the time of a frame; returns the smoothed seconds since the last one, 0 in the first."""
    @property
    def backward_frames(self) -> int:
        """The number of frames with a time before an earlier one."""

@final
class PlaybackReport:
    """Where a song is, and when."""

    def __new__(cls, *, at: _Time, position: _Time) -> PlaybackReport:
        """The song was at `position` at the time `at` of the program's clock. A negative time is an Error."""
    @property
    def at(self) -> int:
        """Nanoseconds of the program's clock."""
    @property
    def position(self) -> int:
        """Nanoseconds of the song."""

@type_check_only
class _Following(Protocol):
    """What both clocks that follow have."""

    def begin_frame(self, now: _Time) -> int:
        """Takes the time of a frame; returns the nanoseconds of this clock. A timestep that has the clock calls it itself."""
    def time_at(self, at: _Time) -> int:
        """Nanoseconds of this clock at a time of the program's, for press_at."""
    def pause(self) -> None:
        """Begins a pause of this clock. A song is to be paused by its player, too."""
    def resume(self) -> None:
        """Ends a pause."""
    @property
    def is_following(self) -> bool:
        """Whether the song moves, or the display's period is known."""
    @property
    def speed(self) -> float:
        """Seconds of this clock for each of the program's. Resample the sound of a simulation that follows the display by it."""

@final
class PlaybackClock(_Following):
    """A clock that follows the reported positions of a song."""

    def __new__(
        cls,
        *,
        latency: _Time | None = None,
        playback_rate: _Ratio | None = None,
        loop_points: tuple[_Time, _Time] | None = None,
    ) -> PlaybackClock:
        """`latency` is that of the output device; `loop_points` are where the song's loop begins and ends. Values as for the setters."""
    def set_latency(self, latency: _Time) -> None:
        """Sets how much later the device plays than its position says."""
    def set_playback_rate(self, rate: _Ratio) -> None:
        """Sets the song's speed, at least 1/16 and at most 16. A negative one is an Error."""
    def set_loop_points(self, loop_points: tuple[_Time, _Time] | None) -> None:
        """Sets where the song's loop begins and ends; None for no loop."""
    def report(self, report: PlaybackReport) -> None:
        """Takes a report, as often as you like."""
    def position_at(self, at: _Time) -> int:
        """Nanoseconds of the song that are heard at a time of the program's clock, to judge a press."""
    @property
    def position(self) -> int:
        """Nanoseconds of the song in the last frame, to draw notes at."""

@final
class RefreshClock(_Following):
    """A clock that follows the refreshes of the display."""

    def __new__(cls, rate: _Ratio) -> RefreshClock:
        """`rate` is that of the steps, in hertz."""

@type_check_only
class _Stepped(Protocol):
    """What FixedTimestep and Schedule have."""

    def set_time_scale(self, scale: _Ratio) -> None:
        """Sets simulated seconds per real second: 0.5 is slow motion, 0 stands still; a negative one is an Error."""
    def set_overrun(self, overrun: _Overrun) -> None:
        """Sets what happens to steps that do not fit: "drop", ("carry", longest backlog) or ("stretch", highest speed)."""
    def pause(self) -> None:
        """Begins a pause with the next frame."""
    def resume(self) -> None:
        """Ends a pause; the next frame is its last."""
    @property
    def is_paused(self) -> bool:
        """Whether pause was called and resume was not."""
    @property
    def backward_frames(self) -> int:
        """The number of frames with a time before an earlier one."""
    @property
    def until_next_step(self) -> int | None:
        """Nanoseconds of real time until a step is due; None if none will be."""

@disjoint_base
class FixedTimestep(_Stepped):
    """Takes the times of frames and grants equal steps."""

    def __new__(
        cls,
        rate: _Ratio,
        *,
        clock: FrameClock | PlaybackClock | RefreshClock | None = None,
        max_delta: _Time | None = None,
        max_steps: int | None = None,
        overrun: _Overrun | None = None,
        time_scale: _Ratio | None = None,
        lookahead: bool = False,
    ) -> Self:
        """`rate` in steps a second; the others as for the setters, without a clock the times count as they are. With `lookahead`
        steps run one step early. A rate that is not positive and finite is an Error."""
    def begin_frame(self, now: _Time) -> Frame:
        """Takes the time of a frame. The first frame has no step; while times go back, simulated time stands still."""
    def advance(self, delta: float) -> Frame:
        """Begins a frame this many seconds after the last one. A float: an int is a TypeError, NaN or a negative number an Error."""
    def give_back(self, unrun: int) -> Frame:
        """Takes back the last `unrun` steps of the last frame; more than it had is an Error."""
    def set_max_delta(self, max_delta: _Time | None) -> None:
        """Sets the longest time that a frame adds; None for the policy's: 0.25 s (0.1 s in a GameLoop) under "drop", none under the
        others."""
    def set_max_steps(self, max_steps: int | None) -> None:
        """Sets the most steps of a frame; None for those of the longest delta, or of 0.25 s."""
    def step_once(self) -> None:
        """Grants one more step in the next frame, also in a pause."""
    def resume_dropping(self) -> None:
        """Ends a pause, and drops steps that were kept back. Without a pause it drops the time since the last frame."""
    def reset(self) -> None:
        """Starts over at tick 0 with the same settings."""
    @property
    def tick(self) -> int:
        """The tick of the next step."""

@final
class GameLoop(FixedTimestep):
    """A game's loop: begin a frame, run its steps, draw."""

    def __new__(cls, rate: _Ratio, *, input: InputBuffer | None = None, clock: FrameClock | PlaybackClock | RefreshClock | None = None) -> GameLoop:
        """`rate` in steps a second. It has the default filter, input and a longest delta of 0.1 s."""
    def begin_frame(self, now: _Time | None = None) -> Frame:
        """Begins a frame now, or at a time of another clock, whose times events then have, too."""
    def limit_fps(self, fps: _Ratio) -> None:
        """Sleeps until the next of `fps` frames a second is due. Call it before events are read."""
    @property
    def input(self) -> InputBuffer:
        """The input of its steps."""

@disjoint_base
class Poses:
    """Bodies in the plane (Poses2) or in space (Poses3), one body a row."""

    def commit(self, states: _Array) -> None:
        """Takes the states after a step: float32 or float64, of shape (rows, 4) for Poses2 and (rows, 7) for Poses3, or flat.
        Another size is an Error; new rows are added at rest."""
    def teleport(self, row: int) -> None:
        """Draws the row's next state without a motion to it. A row that is not there is an Error."""
    def set_previous(self, row: int, state: Sequence[float] | _NumpyArray) -> None:
        """Sets the row's state of one step ago, 4 or 7 numbers."""
    def remove(self, row: int) -> None:
        """Removes a row; the last one takes its number."""
    def shift(self, by: Sequence[float]) -> None:
        """Moves both states of all rows by 2 or 3 numbers, with the origin of the world."""
    def draw(self, alpha: float, out: _Array) -> None:
        """Writes the rows between their last two states to an array of float32 of the same shape."""
    def __len__(self) -> int:
        """The number of rows."""

@final
class Poses2(Poses):
    """Bodies in the plane that are drawn between their last two states, one body a row."""

    def __new__(cls) -> Poses2:
        """No rows yet. A row is x, y, cosine and sine of the angle."""

@final
class Poses3(Poses):
    """Bodies in space that are drawn between their last two states, one body a row."""

    def __new__(cls) -> Poses3:
        """No rows yet. A row is x, y, z and a quaternion x, y, z, w."""

@final
class InputEvent:
    """An event of a step."""

    kind: Final[Literal["press", "release", "motion", "wheel", "release-all", "hold"]]
    """What happened; "hold" replaces a press in a pause."""
    key: Final[int]
    """The key or button; 0 for motion and wheel."""
    x: Final[float]
    """Motion or wheel to the right, in your units."""
    y: Final[float]
    """Motion or wheel downwards."""
    time: Final[int]
    """Nanoseconds of the frames' clock."""

@final
class InputCounts:
    """Counts of input: what waits, and what was not delivered in the ordinary way."""

    waiting: Final[int]
    """Events that wait for their step."""
    late: Final[int]
    """Events that came after the frame of their time, and acted in the next step."""
    reordered: Final[int]
    """Events that came after a later one."""
    refused: Final[int]
    """Presses beyond the capacity."""
    paused: Final[int]
    """Presses and motion that a pause dropped."""
    foreign: Final[int]
    """Events whose time is of another clock."""

@final
class Controls:
    """What is held in a step, and what was pressed, released and moved in it."""

    def is_held_at_end(self, key: int) -> bool:
        """Whether the key is down at the end of the step."""
    def is_down(self, key: int) -> bool:
        """Whether the key is down at the end of the step, or went down in it."""
    def presses(self, key: int) -> int:
        """How often the key went down in the step."""
    def was_released(self, key: int) -> bool:
        """Whether the key went up in the step."""
    motion: Final[tuple[float, float]]
    """The pointer's motion in the step: right and down, in your units."""
    wheel: Final[tuple[float, float]]
    """The wheel's motion in the step: right and down."""

@final
class InputBuffer:
    """Keys, pointer and wheel with timestamps: each event reaches exactly one step."""

    def __new__(cls, *, capacity: int = 1024, keep_pauses: bool = False) -> InputBuffer:
        """`capacity` is for presses and releases between two steps. With `keep_pauses` the events of a pause reach the first step
        after it."""
    def press(self, key: int) -> None:
        """A key went down: it acts in the next step that runs. A key is an int from 0 on."""
    def press_at(self, at: _Time, key: int) -> None:
        """A key went down at a time of the frames' clock: it acts in the step of that time."""
    def release(self, key: int) -> None:
        """A key went up."""
    def release_at(self, at: _Time, key: int) -> None:
        """A key went up at a time."""
    def release_all(self) -> None:
        """All keys went up, as when the window loses the focus."""
    def release_all_at(self, at: _Time) -> None:
        """All keys went up at a time."""
    def motion(self, x: float, y: float) -> None:
        """The pointer moved, in your units; the steps of the next frame share it. NaN is an Error."""
    def motion_at(self, at: _Time, x: float, y: float) -> None:
        """The pointer moved at a time. NaN is an Error."""
    def wheel(self, x: float, y: float) -> None:
        """The wheel turned; the steps of the next frame share it."""
    def wheel_at(self, at: _Time, x: float, y: float) -> None:
        """The wheel turned at a time."""
    def begin_frame(self, timestep: FixedTimestep) -> None:
        """Gives the events to the steps of the timestep's last frame. A GameLoop does it itself."""
    def begin_task(self, schedule: Schedule, task: int) -> None:
        """Gives the events to the steps of a task of a schedule."""
    def controls(self, step: Step) -> Controls:
        """What the keys and the pointer do in a step."""
    def events(self, step: Step) -> list[InputEvent]:
        """The events of a step, the oldest first."""
    @property
    def counts(self) -> InputCounts:
        """Counts so far."""

_Event = TypeVar("_Event")

@final
class EventQueue(Generic[_Event]):
    """A queue of events of steps, which delivers each event in the first frame that shows it."""

    def __new__(
        cls, *, capacity: int = 256, overflow: Literal["drop-oldest", "drop-newest"] = "drop-oldest"
    ) -> EventQueue[_Event]:
        """`capacity` is the most events that wait; `overflow` says which are dropped beyond it."""
    def __class_getitem__(cls, key: Any) -> GenericAlias:
        """For annotations: EventQueue[str]."""
    def emit(self, step: Step, event: _Event) -> None:
        """Keeps any object for the frame that shows the step. Emit in the order of the steps."""
    def due(self, frame: Frame, smoothing: _Smoothing = "interpolate") -> list[tuple[int, _Event]]:
        """The events that the frame shows, each with its tick, oldest first."""
    def retract_from(self, tick: int) -> None:
        """Removes the events of a tick and of later ones, which will be simulated again."""
    @property
    def dropped(self) -> int:
        """The number of events that were dropped."""
    @property
    def waiting(self) -> int:
        """The number of events that wait."""

@final
class Schedule(_Stepped):
    """Tasks at different rates, stepped from one clock."""

    def __new__(cls, *, clock: FrameClock | None = None) -> Schedule:
        """No tasks yet; without a clock the times count as they are."""
    def add(self, rate: _Ratio, *, phase: _Time | None = None) -> int:
        """Adds a task with `rate` steps a second, which end later by `phase`; returns its number."""
    def begin_frame(self, now: _Time) -> Schedule:
        """Takes the time of a frame; iterate over the result."""
    def advance(self, delta: float) -> Schedule:
        """Begins a frame this many seconds after the last one. A float: an int is a TypeError, NaN or a negative number an Error."""
    def __iter__(self) -> Schedule:
        """Itself."""
    def __next__(self) -> tuple[int, Step]:
        """The next step that is due, with the number of its task."""
    def refuse(self) -> None:
        """Takes back the last step: it stays due."""
    def alpha(self, task: int) -> float:
        """Where to draw a task: 0 its previous state, towards 1 its current one."""
    def tick(self, task: int) -> int:
        """The tick of a task's next step. A task that is not there is an Error."""
    def set_max_delta(self, max_delta: _Time | None) -> None:
        """Sets the longest time that a frame adds; None for the policy's."""
    def set_max_behind(self, max_behind: _Time) -> None:
        """Sets how long a due step may wait, in simulated time; 0.25 s unless set."""
    def set_max_advance(self, max_advance: _Time) -> None:
        """Sets the most simulated time of a frame."""
    def resume_dropping(self) -> None:
        """Ends a pause, and drops the time that was kept back."""
    def reset(self) -> None:
        """Starts over at time zero with the same tasks."""
    @property
    def now(self) -> Fraction:
        """Simulated seconds that have arrived, exact."""
    @property
    def lost(self) -> tuple[int, int, Fraction]:
        """Of the last frame: nanoseconds clamped, nanoseconds paused, and simulated seconds that no task will step, exact."""
    @property
    def is_behind(self) -> bool:
        """Whether time is kept back for later frames."""

@final
class FrameStats:
    """Statistics of the last 240 frames."""

    def __new__(cls) -> FrameStats:
        """No frames yet."""
    def record(self, timestep: FixedTimestep) -> None:
        """Records the timestep's last frame. Call it once a frame."""
    def frame_time(self, percentile: float) -> int | None:
        """A percentile, 0 to 100, of the frame times in nanoseconds; None before the first. Others are an Error."""
    @property
    def real_time_factor(self) -> float:
        """Simulated by real time of the last 240 frames; 1 if the loop keeps up."""
    @property
    def total_real_time_factor(self) -> float:
        """The same of all frames."""
    @property
    def steps_per_frame(self) -> list[int]:
        """The number of frames with 0, 1, 2, … steps; the last entry is for seven and more."""
    @property
    def dropped(self) -> int:
        """The steps that these frames dropped."""
    @property
    def animation_error(self) -> float:
        """The root mean square of the drawn advance less the frame time, in seconds."""

@type_check_only
class _MujocoModel(Protocol):
    @property
    def jnt_type(self) -> _Array: ...
    @property
    def jnt_qposadr(self) -> _Array: ...

def blend_qpos(model: _MujocoModel, previous: _Array, current: _Array, alpha: float, out: _Array) -> None:
    """Writes the positions (qpos) of a MuJoCo model, blended between two states, to an array of float64."""
