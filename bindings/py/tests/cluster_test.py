"""The page's program for several machines, on a cluster of Dask with two workers, of which one is killed in the middle."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[3] / "docs" / "my-game.csv"
FILES = Path(os.environ.get("EVENSTEP_SNIPPETS", "there is no such folder")).glob("*.py")
PROGRAMS = [file for file in FILES if "LocalCluster" in file.read_text()]

# Runs the program with a client that kills a worker when some files are read, and compares its table with that of a loop. That worker stands
# still from the beginning, so that however busy the machine is, some files are its own when it is killed.
DRIVER = """
import os, runpy, signal, sys, time
import distributed, pandas

class Client(distributed.Client):
    def map(self, *arguments):
        self.worker = self.run(os.getpid).popitem()[1]
        os.kill(self.worker, signal.SIGSTOP)
        return super().map(*arguments)

    def gather(self, futures):
        finished = lambda: sum(future.status == "finished" for future in futures)
        while finished() < 50:
            time.sleep(0.001)
        os.kill(self.worker, signal.SIGKILL)
        print("killed with", finished(), "files of", len(futures))
        return super().gather(futures)

if __name__ == "__main__":
    distributed.Client = Client
    program = runpy.run_path(sys.argv[1], run_name="__main__")
    serial = pandas.DataFrame([program["figures"](path) for path in program["paths"]])
    pandas.testing.assert_frame_equal(program["table"], serial)
    assert serial["error"].notna().sum() == 1 and serial["fps"].notna().sum() == len(serial) - 1
"""


@pytest.mark.skipif("EVENSTEP_SNIPPETS" not in os.environ, reason="cargo ci --only Python writes the code of the pages")
def test_a_cluster_that_loses_a_worker_in_the_middle_has_the_table_of_a_loop(tmp_path: Path) -> None:
    [program] = PROGRAMS
    recordings = tmp_path / "recordings"
    recordings.mkdir()
    for number in range(200):
        shutil.copy(SAMPLE, recordings / f"{number:03}.csv")
    (recordings / "100.csv").write_text("not,a\nrecording,1\n")
    driver = tmp_path / "driver.py"
    driver.write_text(DRIVER)
    run = subprocess.run([sys.executable, driver, program], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    finished = int(run.stdout.split()[2])
    assert finished < 200, run.stdout
