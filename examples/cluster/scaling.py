"""Measures how much faster two workers analyse than one, alternately, each a process with one thread: python scaling.py [FILES] [ROUNDS]"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from distributed import Client

from analyze import analyze
from here import Cluster

FRAMES = 60_000


def main() -> None:
    count, rounds = (int(number) for number in (sys.argv[1:] + ["48", "5"][len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number in range(count):
            file = Path(folder) / f"{number:04}.txt"
            file.write_text("".join(f"{16 + (number * 7 + frame * 13) % 11 / 10}\n" for frame in range(FRAMES)))
            files.append(str(file))
        ratios = []
        with Cluster(Path(folder), 1) as one, Cluster(Path(folder), 2) as two:
            with Client(one.address, set_as_default=False) as single, Client(two.address, set_as_default=False) as double:
                for _ in range(rounds + 1):
                    seconds = []
                    for client in (single, double):
                        begin = time.perf_counter()
                        client.gather(client.map(analyze, [[file] for file in files], pure=False))
                        seconds.append(time.perf_counter() - begin)
                    ratios.append(seconds[0] / seconds[1])
    # The first round imports the module on every worker.
    ratios = sorted(ratios[1:])
    print(f"{count} files of {FRAMES} frames, {rounds} rounds: two workers are", end=" ")
    print(f"{statistics.median(ratios):.2f} times as fast as one (from {ratios[0]:.2f} to {ratios[-1]:.2f})")


if __name__ == "__main__":
    main()
