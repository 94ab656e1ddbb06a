"""A number or an array of numbers that is drawn between its last two states."""

import copy
import math
from typing import Any, Generic, NoReturn, TypeVar, final, overload

from ._errors import refused

# A float, or an array of numbers.
_State = TypeVar("_State")


@final
class Smoothed(Generic[_State]):
    """A number of the simulation or a numpy array of them, now and before the last step, which is drawn between both.

        height = Smoothed(2.0)
        heading = Smoothed(350.0, wrap=360.0)    # blended the shorter way
        height.begin_step()                      # before each step, then
        height.current += speed * step.dt
        height.at(frame.alpha)                   # in each frame

    An array may be changed in place. wrap is the period of a number, such as 360.0 for an angle in degrees or the width of a world that is
    left on one side and entered on the other.
    """

    __module__ = "evenstep"
    __slots__ = ("_current", "_is_teleport", "_previous", "_wrap")

    @overload
    def __init__(self: "Smoothed[float]", state: float, *, wrap: float | None = None) -> None: ...
    @overload
    def __init__(self, state: _State, *, wrap: float | None = None) -> None: ...
    def __init__(self, state: Any, *, wrap: float | None = None) -> None:
        """`wrap` is the period of a number that repeats, such as 360.0."""
        wrap = None if wrap is None else _number(wrap)
        if wrap is not None and not 0.0 < wrap < math.inf:
            raise refused("Range", "Smoothed: wrap", f"{wrap} is not a period, a finite number above zero")
        _kind(state)
        self._current: _State = state
        self._previous: _State = copy.copy(state)
        self._wrap = wrap
        self._is_teleport = False

    @property
    def current(self) -> _State:
        """The newest state: change it in each step, after begin_step. A state of another shape or kind is an Error."""
        return self._current

    @current.setter
    def current(self, state: _State) -> None:
        self._check(state)
        self._current = state

    @property
    def previous(self) -> _State:
        """The state before the last step."""
        return self._previous

    @property
    def is_teleport(self) -> bool:
        """Whether the state teleported in this step."""
        return self._is_teleport

    def begin_step(self) -> None:
        """Begins a step: the current state becomes the previous one."""
        self._previous = copy.copy(self._current)
        self._is_teleport = False

    def set_previous(self, state: Any, row: Any = None) -> None:
        """Sets the state before the last step. Something that is spawned moving is here now and was there a step ago. With row, an index, a
        slice or a mask, sets those of an array: set_previous(muzzle - velocity * step.dt, row)."""
        if row is not None:
            previous: Any = copy.copy(self._previous)
            previous[row] = state
            self._previous = previous
        else:
            self._check(state)
            self._previous = copy.copy(state)
            self._is_teleport = False

    def teleport(self) -> None:
        """Marks the state as teleported in this step: it is drawn at its new value, not between."""
        self._is_teleport = True

    def shift(self, by: Any) -> None:
        """Moves both states, when the origin of the world moves. This is not motion."""
        # Both first, because either may raise.
        previous: Any = copy.copy(self._previous)
        previous += by
        current: Any = self._current
        current += by
        self._previous, self._current = previous, current

    def at(self, alpha: float) -> _State:
        """The state to draw at a frame's alpha. A number that wraps may lie outside of one period. Integers of numpy are rounded to the
        nearest."""
        alpha = _number(alpha)
        if alpha <= 0.0:
            return copy.copy(self._previous)
        if alpha >= 1.0 or self._is_teleport:
            return copy.copy(self._current)
        previous: Any = self._previous
        current: Any = self._current
        dtype = _small_dtype(previous, current)
        drawn: _State
        if dtype is None:
            drawn = _blend(previous, current, alpha, self._wrap)
        else:
            drawn = _of_numpy(previous, current, alpha, self._wrap, dtype)
        return drawn

    def _check(self, state: object) -> None:
        wanted, given = _kind(self._previous), _kind(state)
        if wanted != given:
            raise refused("Size", "Smoothed", f"the state is {wanted}, not {given}")

    def __reduce__(self) -> NoReturn:
        """It can be neither copied nor pickled: keep its states, and make a new one of them."""
        raise TypeError("cannot copy or pickle an evenstep.Smoothed; keep its states")

    def __repr__(self) -> str:
        """Both states."""
        return f"<evenstep.Smoothed from {self._previous!s} to {self._current!s}>"


def _number(value: Any) -> float:
    """A number as a float. Text is none, which float() would read."""
    return math.ldexp(value, 0)


def _kind(state: Any) -> str:
    """What a state is, in words: a number, an array of a shape, or an object with operators, such as a vector of pygame. Raises if it is none."""
    name, shape = type(state).__name__, getattr(state, "shape", ())
    try:
        state - state
        is_real = getattr(getattr(state, "dtype", None), "kind", "f") in ("f", "i", "u")
    except Exception:
        is_real = False
    if not is_real:
        raise TypeError(f"a state is a number or an array of numbers, not {name}")
    if shape != ():
        return f"an array of shape {shape}"
    try:
        float(state)
    except Exception:
        return name
    return "a number"


def _blend(previous: Any, current: Any, alpha: float, wrap: float | None) -> Any:
    """The state between two others, by their operators."""
    way = current - previous
    if wrap is not None:
        way = _shorter(float(way), wrap) if isinstance(way, float) else _all_shorter(way, wrap)
    return previous + way * alpha


def _shorter(difference: float, wrap: float) -> float:
    """A difference the shorter way, as the core's `Angle` has it."""
    windings = difference / wrap
    # Beyond 2^63 windings an angle has no direction any more.
    nearest = math.copysign(min(abs(windings) + 0.5, 2.0**63) // 1.0, windings)
    return min(max(difference - nearest * wrap, -0.5 * wrap), 0.5 * wrap)


def _all_shorter(differences: Any, wrap: float) -> Any:
    """The same for an array, by operators, which every kind of array has."""
    lengths = abs(differences)
    ways = lengths - (lengths / wrap + 0.5) // 1.0 * wrap
    return ways - ways * (differences < 0.0) * 2.0


def _small_dtype(previous: Any, current: Any) -> Any:
    """The kind of numpy's small floats and integers, whose difference may not be one of them; None of others."""
    if not (hasattr(previous, "dtype") or hasattr(current, "dtype")):
        return None
    try:
        import numpy
    except ImportError:
        return None
    if not any(isinstance(state, (numpy.ndarray, numpy.generic)) for state in (previous, current)):
        return None
    dtype = numpy.result_type(numpy.atleast_1d(previous), numpy.atleast_1d(current))
    return dtype if dtype.kind in "iu" or dtype.itemsize == 2 else None


def _of_numpy(previous: Any, current: Any, alpha: float, wrap: float | None, dtype: Any) -> Any:
    """The state between two others of a small kind. Integers are rounded to the nearest."""
    import numpy

    shape = numpy.shape(previous)
    # Scalars would warn of each overflow.
    previous, current = numpy.atleast_1d(previous), numpy.atleast_1d(current)
    is_integer = dtype.kind in "iu"
    if is_integer and wrap is None:
        previous, current = previous.astype(dtype), current.astype(dtype)
        # Modulo the integers' number, and so right as unsigned ones.
        unsigned = numpy.dtype(f"u{dtype.itemsize}")
        length = (numpy.maximum(previous, current) - numpy.minimum(previous, current)).astype(unsigned)
        part = numpy.minimum(numpy.rint(length * alpha).astype(unsigned), length).astype(dtype)
        drawn = numpy.where(current < previous, previous - part, previous + part)
    else:
        drawn = _blend(previous.astype(float), current.astype(float), alpha, wrap)
        if is_integer:
            drawn = numpy.rint(drawn)
            # Beyond what the integers can be: a period back.
            limits = numpy.iinfo(dtype)
            drawn = drawn + (drawn < limits.min) * wrap - (drawn > limits.max) * wrap
        drawn = drawn.astype(dtype)
    return drawn.reshape(shape)[()]
