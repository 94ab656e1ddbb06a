"""Measures and diagnoses many recordings: python analyze.py FOLDER OUT.jsonl --scheduler tcp://HOST:8786"""

import argparse
import json
import os
from pathlib import Path


def analyze(files: list[str]) -> list[str]:
    """Returns a line for each file: its report, or the error."""
    import evenstep

    lines = []
    for file in files:
        try:
            report = json.loads(evenstep.analyze(file, columns=False).json())
        except (evenstep.TraceError, OSError) as error:
            report = {"file": file, "error": str(error)}
        lines.append(json.dumps(report))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures and diagnoses many recordings.")
    parser.add_argument("folder", type=Path, help="the folder with the files, which is searched with its subfolders")
    parser.add_argument("out", type=Path, help="the file to write, with a line of JSON for each file, in the order of their names")
    parser.add_argument("--pattern", default="*", help="only files whose names match this pattern, such as '*.csv'")
    parser.add_argument("--scheduler", help="the address of a Dask scheduler; without one, this process does the work")
    # A task costs the scheduler about a millisecond.
    parser.add_argument("--batch", type=int, default=16, help="the number of files in a task")
    options = parser.parse_args()
    files = sorted(str(file) for file in options.folder.rglob(options.pattern) if not file.is_dir())
    batches = [files[start : start + options.batch] for start in range(0, len(files), options.batch)]
    if options.scheduler is None:
        lines = [analyze(batch) for batch in batches]
    else:
        from distributed import Client

        # If a worker dies, its tasks run again on another one.
        with Client(options.scheduler, set_as_default=False) as client:
            lines = client.gather(client.map(analyze, batches, pure=False))
    # The file appears under its name only when it is complete.
    unfinished = options.out.with_name(options.out.name + ".unfinished")
    with unfinished.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for batch in lines for line in batch)
    os.replace(unfinished, options.out)


if __name__ == "__main__":
    main()
