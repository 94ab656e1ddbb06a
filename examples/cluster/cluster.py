"""The part of a job that is the same for every job: it reads files and writes a line of text for each, ordered by the files' names."""

import argparse
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from distributed import Client

# The number of files in a task. A task costs the scheduler about a millisecond.
BATCH = 16

Job = Callable[[list[str]], list[str]]


def arguments(what: str) -> argparse.Namespace:
    """Parses the command line of a job."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("folder", type=Path, help="the folder with the files, which is searched with its subfolders")
    parser.add_argument("out", type=Path, help="the file to write, with a line of JSON for each file")
    parser.add_argument("--pattern", default="*", help="only files whose names match this pattern, such as '*.csv'")
    parser.add_argument("--scheduler", help="the address of a Dask scheduler; without one, this process does the work")
    parser.add_argument("--batch", type=int, default=BATCH, help="the number of files in a task")
    return parser.parse_args()


def run(job: Job, options: argparse.Namespace) -> None:
    """Runs a job on a folder. If a worker dies, its tasks run again on another one, and the result is the same."""
    found = sorted(file for file in options.folder.rglob(options.pattern) if not file.is_dir())
    files = [str(file) for file in found]
    batches = [files[start : start + options.batch] for start in range(0, len(files), options.batch)]
    if options.scheduler is None:
        lines = [job(batch) for batch in batches]
    else:
        with Client(options.scheduler, set_as_default=False) as client:
            lines = client.gather(client.map(job, batches, pure=False))
    write(options.out, (line for batch in lines for line in batch))


def write(out: Path, lines: Iterable[str]) -> None:
    """Writes a file that appears under its name only when it is complete."""
    unfinished = out.with_name(out.name + ".unfinished")
    with unfinished.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for line in lines)
    os.replace(unfinished, out)
