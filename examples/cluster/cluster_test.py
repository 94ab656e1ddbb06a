"""Runs the job on a scheduler and two workers, one of which is killed at work. The output must be the same as from one process."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import dask
import pytest
from distributed import LocalCluster

JOBS = Path(__file__).parent
SAMPLE = JOBS.parents[1] / "docs" / "my-game.csv"


def recordings(folder: Path) -> None:
    """Writes recordings of frame times, one of them broken and one empty."""
    for number in range(12):
        (folder / f"{number:02}.txt").write_text("".join(f"{16 + (number + frame) % 3}\n" for frame in range(500)))
    (folder / "deep").mkdir()
    shutil.copy(SAMPLE, folder / "deep" / "my-game.csv")
    (folder / "broken.csv").write_text("MsBetweenPresents\nsoon\n")
    (folder / "empty.csv").touch()


def analyze(folder: Path, out: Path, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, str(JOBS / "analyze.py"), str(folder), str(out), *options])


def killed_at_work(cluster: LocalCluster, pipe: Path, content: bytes) -> None:
    """Waits until a worker reads the pipe, kills it, and writes the content for the worker that reads the pipe next."""
    with pipe.open("wb") as end:  # opens when a process reads; stays open, so that no reader gets an empty file
        (killed,) = readers(cluster, pipe)
        os.kill(killed, signal.SIGKILL)
        while len(readers(cluster, pipe) - {killed}) == 0:
            time.sleep(0.01)
        end.write(content)


def readers(cluster: LocalCluster, pipe: Path) -> set[int]:
    """The processes of workers that have the pipe open."""
    return {worker.pid for worker in cluster.workers.values() if worker.pid is not None and has_open(worker.pid, pipe)}


def has_open(process: int, file: Path) -> bool:
    try:
        return any(Path(os.readlink(link)) == file for link in Path(f"/proc/{process}/fd").iterdir())
    except OSError:
        return False  # it has ended


@pytest.mark.skipif(sys.platform != "linux", reason="finds in /proc the process that reads a pipe")
def test_a_killed_worker_changes_no_byte(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    recordings(folder)
    assert analyze(folder, tmp_path / "alone.jsonl").wait() == 0
    content = (folder / "07.txt").read_bytes()
    (folder / "07.txt").unlink()
    os.mkfifo(folder / "07.txt")
    # Workers are forked from one process, which has imported their modules.
    dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
    with LocalCluster(2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)) as cluster:
        work = analyze(folder, tmp_path / "many.jsonl", "--scheduler", cluster.scheduler_address, "--batch", "2")
        killed_at_work(cluster, folder / "07.txt", content)
        assert work.wait() == 0
    alone, many = (tmp_path / "alone.jsonl").read_bytes(), (tmp_path / "many.jsonl").read_bytes()
    assert many == alone
    assert alone.count(b"\n") == len([file for file in folder.rglob("*") if not file.is_dir()])
