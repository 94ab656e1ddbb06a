"""Recordings: what analyze and simulate say, and how other libraries take the columns."""

import copy
import gc
import io
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import evenstep

SAMPLE = Path(__file__).parents[3] / "docs" / "my-game.csv"
PLAIN = b"16.5\n17\n16.25\n33.5\n"


def test_a_path_a_pathlike_and_bytes_give_the_same_report() -> None:
    by_path, by_text = evenstep.analyze(SAMPLE), evenstep.analyze(str(SAMPLE))
    by_bytes = evenstep.analyze(SAMPLE.read_bytes())
    assert by_path.json() == by_text.json()
    assert by_bytes.file == "<bytes>"
    assert by_bytes.json() == by_path.json().replace(json.dumps(str(SAMPLE)), '"<bytes>"')


def test_the_sample_of_the_readme_is_named_as_the_command_names_it() -> None:
    chain = evenstep.analyze(SAMPLE).main
    assert (chain.process, chain.metrics["frames"]) == ("my-game.exe", 360)
    assert [entry["kind"] for entry in chain.diagnosis] == ["uneven-frames"]
    assert "filter the deltas" in chain.diagnosis[0]["cure"]
    assert repr(chain) == f"<evenstep.Chain my-game.exe/{chain.pid}/{chain.swap_chain} of 360 frames>"


def test_a_program_may_change_what_it_gets_of_a_report() -> None:
    report = evenstep.analyze(SAMPLE)
    chain = report.main
    report.warnings.append("read")
    chain.metrics["frame_time_ms"].clear()
    chain.metrics.clear()
    chain.diagnosis[0].clear()
    fresh = evenstep.analyze(SAMPLE)
    assert (report.warnings, chain.metrics, chain.diagnosis) == (fresh.warnings, fresh.main.metrics, fresh.main.diagnosis)
    assert repr(chain) == repr(fresh.main)


def test_metrics_are_those_of_the_frames() -> None:
    chain = evenstep.analyze(PLAIN).main
    times = pa.table(chain.frame_times)["frame_time_ms"].to_numpy()
    assert times.tolist() == [16.5, 17.0, 16.25, 33.5]
    assert chain.metrics["frame_time_ms"]["mean"] == pytest.approx(times.mean(), rel=1e-12)
    assert chain.metrics["frame_time_ms"]["std"] == pytest.approx(times.std(), rel=1e-9)


def test_frame_times_are_those_of_the_file_to_the_nanosecond() -> None:
    times = pa.table(evenstep.analyze(b"16.666667\n0.000001\n33.333334\n").main.frame_times)
    assert times.to_pydict() == {"frame_time_ms": [16.666667, 0.000001, 33.333334]}


def test_the_times_of_a_report_are_those_of_the_file() -> None:
    header = "Application,CPUStartTime,FrameTime,CPUBusy,GPUBusy,DisplayLatency,MsUntilDisplayed\n"
    rows = [(100, 10, 6, 4, 20, 14), (110, 10, 7, 5, 21, 14), (120, 15, 8, 6, 24, 16), (135, 12.5, 9, 7, 20, 11)]
    text = header + "".join("game.exe," + ",".join(map(str, row)) + "\n" for row in rows)
    chain = evenstep.analyze(text.encode()).main
    columns = pa.table(chain.presents).to_pydict()
    assert columns == {
        "row": [0, 1, 2, 3],
        "started_ms": [0, 10, 20, 35],
        "presented_ms": [6, 17, 28, 44],
        "displayed_ms": [20, 31, 44, 55],
        "simulated_ms": [0, 10, 20, 35],
        "generated": [False] * 4,
        "cpu_busy_ms": [6, 7, 8, 9],
        "gpu_busy_ms": [4, 5, 6, 7],
        "between_presents_ms": [None, 11, 11, 16],
        "between_display_change_ms": [None, 11, 13, 11],
        "animation_error_ms": [None, -1, -3, 4],
    }
    metrics = chain.metrics
    assert (metrics["seconds"], metrics["frame_time_ms"]["max"], metrics["frame_time_ms"]["median"]) == (0.0475, 15, 10)
    assert (metrics["display_interval_ms"]["max"], metrics["until_displayed_ms"]["mean"]) == (13, 13.75)
    assert (metrics["animation_error_ms"]["max_abs"], metrics["animation_error_ms"]["count"]) == (4, 3)


def test_pyarrow_polars_pandas_and_duckdb_read_the_same_columns() -> None:
    presents = evenstep.analyze(SAMPLE).main.presents
    arrow = pa.table(presents)
    assert arrow.column_names == presents.column_names and arrow.num_rows == len(presents)
    assert pl.DataFrame(presents)["animation_error_ms"].to_list() == arrow["animation_error_ms"].to_pylist()
    frame = pd.DataFrame.from_arrow(presents)
    np.testing.assert_array_equal(frame["presented_ms"].to_numpy(), arrow["presented_ms"].to_numpy())
    answer = duckdb.sql("select count(*), max(between_presents_ms) from presents")
    assert answer is not None
    assert answer.fetchall() == [(len(presents), pc.max(arrow["between_presents_ms"]).as_py())]


def test_tables_of_several_recordings_are_concatenated_whatever_is_missing_in_them() -> None:
    rows = "Application,TimeInMs,MsBetweenPresents,MsUntilDisplayed\n" + "game.exe,{},16,{}\n" * 2
    texts = (rows.format(0, 5, 16, 5), rows.format(0, 5, 16, "NA"), rows.format(0, "NA", 16, "NA"))
    tables = [pa.table(evenstep.analyze(text.encode()).main.presents) for text in texts]
    assert [table["displayed_ms"].null_count for table in tables] == [0, 1, 2]
    assert pa.concat_tables(tables).num_rows == 6


def test_every_present_has_its_metrics_where_the_clock_of_the_file_jumps_back() -> None:
    def without(rows: int) -> int:
        times = [10 * rows, *range(rows)]
        text = "Application,TimeInMs,MsBetweenPresents\n" + "".join(f"game.exe,{time},1\n" for time in times)
        presents = pa.table(evenstep.analyze(text.encode()).main.presents)
        return int(presents["between_presents_ms"].null_count)

    # The first present has none before it.
    assert (without(2_000), without(40_000)) == (1, 1)


def test_a_report_is_pickled_with_its_columns() -> None:
    for source, columns in ((SAMPLE, True), (PLAIN, True), (SAMPLE, False)):
        report = evenstep.analyze(source, columns=columns)
        again = pickle.loads(pickle.dumps(report))
        assert repr(again) == repr(report) and repr(again.main) == repr(report.main)
        assert (again.json(), again.file, again.format, again.warnings) == (report.json(), report.file, report.format, report.warnings)
        for one, other in zip(again.chains, report.chains, strict=True):
            assert (one.process, one.pid, one.swap_chain) == (other.process, other.pid, other.swap_chain)
            assert (one.metrics, one.diagnosis) == (other.metrics, other.diagnosis)
            if columns:
                assert pa.table(one.presents).equals(pa.table(other.presents))
                assert pa.table(one.presents).schema == pa.table(other.presents).schema
                assert pa.table(one.frame_times).equals(pa.table(other.frame_times))
        assert copy.deepcopy(report).json() == report.json()
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            alone = pickle.loads(pickle.dumps(report, protocol)).main
            assert (repr(alone), alone.metrics) == (repr(report.main), report.main.metrics)
            alone = pickle.loads(pickle.dumps(report.main, protocol))
            assert (repr(alone), alone.metrics) == (repr(report.main), report.main.metrics)


def test_a_pool_of_processes_reads_recordings(tmp_path: Path) -> None:
    files = [tmp_path / f"{index}.txt" for index in range(3)]
    for index, file in enumerate(files):
        file.write_bytes(PLAIN * (index + 1))
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        reports = pool.map(evenstep.analyze, files)
        with pytest.raises(evenstep.TraceError) as raised:
            pool.apply(evenstep.analyze, (b"16\nseventeen\n",))
    assert [len(report.main.frame_times) for report in reports] == [4, 8, 12]
    assert (raised.value.code, raised.value.line) == ("Trace", 2)


def test_columns_are_not_copied() -> None:
    times = evenstep.analyze(SAMPLE).main.frame_times
    addresses = {pa.table(times)["frame_time_ms"].chunk(0).buffers()[1].address for _ in range(3)}
    assert len(addresses) == 1


def test_columns_outlive_their_report() -> None:
    table = pa.table(evenstep.analyze(PLAIN).main.frame_times)
    gc.collect()
    assert pc.sum(table["frame_time_ms"]).as_py() == 83.25


def test_capsules_that_nobody_takes_are_freed() -> None:
    times = evenstep.analyze(PLAIN).main.frame_times
    for _ in range(1000):
        times.__arrow_c_stream__()
    assert pa.table(times).num_rows == 4


def test_a_plain_list_has_no_presents() -> None:
    assert len(evenstep.analyze(PLAIN).main.presents) == 0


def test_without_columns_the_report_is_the_same_and_the_frames_say_so() -> None:
    lean = evenstep.analyze(SAMPLE, columns=False)
    assert lean.json() == evenstep.analyze(SAMPLE).json()
    with pytest.raises(evenstep.Error, match="columns=True"):
        lean.main.frame_times


def grown(path: Path, columns: bool) -> int:
    """By how many bytes a process grows that analyses a file."""
    program = """if True:
        import pathlib, sys, evenstep
        def peak():
            status = pathlib.Path("/proc/self/status").read_text().splitlines()
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
        before = peak()
        evenstep.analyze(sys.argv[1], columns=sys.argv[2] == "True")
        print(peak() - before)
    """
    # What is in work at a time grows with the cores.
    environment = {**os.environ, "RAYON_NUM_THREADS": "2"}
    return int(subprocess.check_output([sys.executable, "-c", program, str(path), str(columns)], env=environment))


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the most memory that was in use")
def test_without_columns_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    short, long = tmp_path / "short.txt", tmp_path / "long.txt"
    short.write_bytes(PLAIN * 60_000)
    long.write_bytes(PLAIN * 120_000)
    size = long.stat().st_size - short.stat().st_size
    lean, whole = (grown(long, columns) - grown(short, columns) for columns in (False, True))
    assert lean < 1_000_000 < size < whole


def test_a_bad_row_names_file_line_and_field(tmp_path: Path) -> None:
    text = "Application,ProcessID,SwapChainAddress,MsBetweenPresents\ngame.exe,7,0x1,16.7\ngame.exe,7,0x1,soon\n"
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(evenstep.TraceError) as caught:
        evenstep.analyze(path)
    error = caught.value
    assert (error.file, error.line, error.field) == (str(path), 3, "MsBetweenPresents")
    assert isinstance(error, ValueError)
    lenient = evenstep.analyze(path, lenient=True)
    assert lenient.main.metrics["frames"] == 1 and "skipped" in lenient.warnings[0]


def test_what_the_system_refuses_is_an_os_error_of_its_kind(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        evenstep.analyze(tmp_path / "missing.csv")
    assert caught.value.filename == str(tmp_path / "missing.csv")
    with pytest.raises(IsADirectoryError):
        evenstep.analyze(tmp_path)


def test_other_types_are_told_what_is_wanted() -> None:
    with pytest.raises(TypeError, match="a path .* or bytes, not BytesIO"):
        evenstep.analyze(io.BytesIO(PLAIN))  # type: ignore[arg-type]


def test_a_chain_is_found_by_name_and_a_missing_one_lists_those_that_are_there() -> None:
    assert evenstep.analyze(SAMPLE, chain="MY-GAME.EXE").main.pid == "4711"
    with pytest.raises(evenstep.TraceError, match="no chain is called other.exe; there are my-game.exe"):
        evenstep.analyze(SAMPLE, chain="other.exe")


def test_simulate_recommends_a_filter_for_the_sample() -> None:
    compared = evenstep.simulate(SAMPLE, rate=60)
    assert compared["recommended"]["filter"] == "default"
    assert compared["outcomes"] == sorted(compared["outcomes"], key=lambda outcome: outcome["error_rms_ms"])
    assert evenstep.simulate(SAMPLE, display="vrr")["display"] == "a variable 40 to 240 Hz"
    assert evenstep.simulate(SAMPLE, display=144)["repeated"] >= 0
    with pytest.raises(evenstep.Error, match="or give vrr"):
        evenstep.simulate(SAMPLE, display="fast")
    with pytest.raises(evenstep.Error, match="too long"):
        evenstep.simulate(SAMPLE, rate=1_000_000)


def test_other_threads_run_while_a_recording_is_read() -> None:
    # The reader waits in a pipe for its last bytes, which only another thread can write.
    reading, writing = os.pipe()

    def write() -> None:
        for line in PLAIN.splitlines(keepends=True):
            os.write(writing, line)
        os.close(writing)

    thread = threading.Thread(target=write)
    thread.start()
    report = evenstep.analyze(f"/dev/fd/{reading}")
    thread.join()
    os.close(reading)
    assert report.main.metrics["frames"] == 4


def test_two_threads_work_at_once() -> None:
    # Each reads what the other one writes only once the first has begun: with the lock held, neither could continue.
    pipes = [os.pipe() for _ in range(2)]
    started = threading.Barrier(3)
    frames: list[int] = []

    def read(end: int) -> None:
        started.wait()
        frames.append(evenstep.analyze(f"/dev/fd/{end}").main.metrics["frames"])

    threads = [threading.Thread(target=read, args=(pipe[0],)) for pipe in pipes]
    for thread in threads:
        thread.start()
    started.wait()
    for _ in range(3):
        for _, end in pipes:
            os.write(end, PLAIN)
    for _, end in pipes:
        os.close(end)
    for thread in threads:
        thread.join()
    for end, _ in pipes:
        os.close(end)
    assert frames == [12, 12]


def test_a_file_that_grows_while_it_is_read_is_read_as_far_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "growing.txt"
    path.write_bytes(PLAIN * 2000)

    def grow() -> None:
        with path.open("ab", buffering=0) as file:
            for _ in range(20_000):
                file.write(PLAIN)

    thread = threading.Thread(target=grow)
    thread.start()
    counts = [evenstep.analyze(path, lenient=True, columns=False).main.metrics["frames"] for _ in range(3)]
    thread.join()
    assert 8000 <= counts[0] <= counts[1] <= counts[2]
    assert evenstep.analyze(path, columns=False).main.metrics["frames"] == 88_000
