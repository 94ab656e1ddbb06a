"""Every reader with arbitrary bytes: exceptions, never a crash; and with numbers of all kinds, the same for the timestep."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import evenstep

# How each kind of file begins, so that every reader gets its share.
BEGINNINGS = [
    b"",
    b"16.6\n",
    b"\xef\xbb\xbf",
    b"\xff\xfe1\x006\x00\n\x00",
    b"Application,ProcessID,SwapChainAddress,MsBetweenPresents\n",
    b"Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,CPUStartTime,FrameTime,CPUBusy\n",
    b"Frame, Time (ms)\n",
    b"os,cpu,gpu,ram,kernel,driver,cpuscheduler\nx,y,z,1,k,d,s\nfps,frametime,cpu_load\n",
    b"# tracer: nop\n#\n",
    b"---PROFILEDATA---\nFlags,IntendedVsync,Vsync\n",
    b'{"traceEvents":[{"name":"BeginFrame","ph":"I","ts":',
    b'{"Runs":[{"CaptureData":{"TimeInSeconds":[0,1],"MsBetweenPresents":[',
]
PIECES = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([b"\n", b"\r\n", b",", b"\t", b'"', b"NA", b"1e308", b"-0", b"nan", b"0x1", b"]}", b"}]}"]),
    st.floats(allow_nan=True, allow_infinity=True).map(lambda number: repr(number).encode()),
    st.integers().map(lambda number: str(number).encode()),
)
SAMPLE = (Path(__file__).parents[3] / "docs" / "my-game.csv").read_bytes()


def survives(data: bytes) -> None:
    for lenient in (False, True):
        try:
            report = evenstep.analyze(data, lenient=lenient)
        except evenstep.TraceError as error:
            assert error.file == "<bytes>" and str(error).startswith("<bytes>")
            assert error.line is None or error.line >= 1
            continue
        assert json.loads(report.json())["chains"]
        for chain in report.chains:
            assert pa.table(chain.frame_times).num_rows >= 1
            assert pa.table(chain.presents).num_rows == len(chain.presents)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.sampled_from(BEGINNINGS), st.lists(PIECES, max_size=30))
def test_no_bytes_crash_a_reader(beginning: bytes, pieces: list[bytes]) -> None:
    survives(beginning + b"".join(pieces))


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.data())
def test_a_damaged_recording_does_not_crash_its_reader(data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(SAMPLE)))
    kept = bytearray(SAMPLE[:cut])
    for _ in range(data.draw(st.integers(0, 8)) if kept else 0):
        kept[data.draw(st.integers(0, len(kept) - 1))] = data.draw(st.integers(0, 255))
    survives(bytes(kept))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(st.floats(0.01, 500), min_size=1, max_size=200))
def test_no_list_of_frame_times_crashes_simulate(times: list[float]) -> None:
    data = "\n".join(map(str, times)).encode()
    assert evenstep.simulate(data)["frames"] == len(times)


NUMBERS = st.one_of(
    st.integers(),
    st.integers(0, 2**40),
    st.floats(),
    st.none(),
    st.text(max_size=3),
    st.booleans(),
    st.tuples(st.integers(), st.integers()),
)
CALLS = st.sampled_from(
    ["begin_frame", "advance", "give_back", "set_max_delta", "set_max_steps", "set_overrun", "set_time_scale"]
)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(NUMBERS, st.lists(st.tuples(CALLS, NUMBERS), max_size=20))
def test_no_arguments_crash_a_timestep(rate: Any, calls: list[tuple[str, Any]]) -> None:
    try:
        timestep = evenstep.FixedTimestep(rate)
    except (ValueError, TypeError, OverflowError):
        timestep = evenstep.FixedTimestep(60)
    for name, argument in calls:
        try:
            getattr(timestep, name)(argument)
        except (ValueError, TypeError, OverflowError):
            pass
    frame = timestep.advance(1e9)
    assert 0 <= frame.alpha < 1 and len(frame) <= frame.tick
