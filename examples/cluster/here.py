"""A Dask cluster on this machine: a scheduler and workers, each a process of its own."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType

from distributed import Client


class Cluster:
    """The processes end with the `with` block."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=folder, prefix=".dask"))
        self.file = self.folder / "scheduler.json"
        self.count = workers
        self.processes: list[subprocess.Popen[bytes]] = []
        self.address = ""

    def __enter__(self) -> "Cluster":
        scheduler = self.start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file))
        while not self.file.exists():
            if scheduler.poll() is not None:
                raise RuntimeError(f"the scheduler ended: {self.log()}")
            time.sleep(0.02)
        self.workers = [self.worker() for _ in range(self.count)]
        with Client(scheduler_file=str(self.file), set_as_default=False) as client:
            client.wait_for_workers(self.count, timeout=120)
            self.address = client.scheduler.address
        return self

    def worker(self) -> subprocess.Popen[bytes]:
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self.folder))
        return self.start("worker", "--scheduler-file", str(self.file), *options)

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Starts a process in a group of its own, which its child processes belong to, too."""
        command = [sys.executable, "-m", "dask", *words]
        paths = os.pathsep.join(filter(None, [str(Path(__file__).parent), os.environ.get("PYTHONPATH")]))
        environment = os.environ | {"PYTHONPATH": paths}
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
        self.processes.append(process)
        return process

    def log(self) -> str:
        return (self.folder / "log").read_text()

    @staticmethod
    def kill(process: subprocess.Popen[bytes]) -> None:
        """Kills a process and its child processes, as if their machine failed."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        for process in reversed(self.processes):
            self.kill(process)
