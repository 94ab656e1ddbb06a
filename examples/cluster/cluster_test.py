"""Runs the job on a scheduler and two workers, one of which is killed at work. The output must be the same as from one process."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from here import Cluster

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


def killed_at_work(cluster: Cluster, pipe: Path, content: bytes) -> None:
    """Waits until a worker reads the pipe, kills it, and writes the content for the worker that reads the pipe next."""
    with pipe.open("wb") as end:  # opens when a process reads; stays open, so that no reader gets an empty file
        at_work = [worker for worker in cluster.workers if is_reading(worker.pid, pipe)]
        assert len(at_work) == 1
        cluster.kill(at_work[0])
        (other,) = (worker for worker in cluster.workers if worker is not at_work[0])
        # A killed process keeps the pipe open for a moment after its parent has ended.
        while not is_reading(other.pid, pipe) or is_reading(at_work[0].pid, pipe):
            assert other.poll() is None, cluster.log()
            time.sleep(0.01)
        end.write(content)


def is_reading(group: int, pipe: Path) -> bool:
    """Whether a process of the group has the pipe open."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.getpgid(int(process.name)) == group:
                if any(Path(os.readlink(link)) == pipe for link in (process / "fd").iterdir()):
                    return True
        except OSError:
            continue  # it has ended
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="finds in /proc the process that reads a pipe")
def test_a_killed_worker_changes_no_byte(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    recordings(folder)
    assert analyze(folder, tmp_path / "alone.jsonl").wait() == 0
    content = (folder / "07.txt").read_bytes()
    (folder / "07.txt").unlink()
    os.mkfifo(folder / "07.txt")
    with Cluster(tmp_path, 2) as cluster:
        work = analyze(folder, tmp_path / "many.jsonl", "--scheduler", cluster.address, "--batch", "2")
        killed_at_work(cluster, folder / "07.txt", content)
        assert work.wait() == 0, cluster.log()
    alone, many = (tmp_path / "alone.jsonl").read_bytes(), (tmp_path / "many.jsonl").read_bytes()
    assert many == alone
    assert alone.count(b"\n") == len([file for file in folder.rglob("*") if not file.is_dir()])
