"""Reads the tables of `evenstep analyze --parquet` with third-party readers, and compares the answers to the queries of the
book's page with the output of `evenstep analyze --json`.

    check.py EVENSTEP docs/pages/tables.md
"""

import collections
import gzip
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import datafusion
import duckdb
import polars
import pyarrow.parquet


def times(count, hitches):
    """Frame times in milliseconds, with an occasional long one."""
    return [50.0 + n % 7 if n % 300 == 200 and n // 300 < hitches else 16.0 + (n * 7919 % 101) / 100 for n in range(count)]


def mangohud(driver, gpu, hitches):
    elapsed, rows = 0, []
    for ms in times(2000, hitches):
        elapsed += round(ms * 1e6)
        rows.append(f"{1000 / ms:.3f},{ms:.4f},{elapsed}\n")
    return f"os,cpu,gpu,ram,kernel,driver\nLinux,Some CPU,{gpu},16,6.1,{driver}\nfps,frametime,elapsed\n" + "".join(rows)


def capframex(driver, gpu, hitches):
    seconds, rows = 0.0, []
    for n, ms in enumerate(times(1500, hitches)):
        seconds += ms / 1000
        rows.append(f"game.exe,7,0x{n % 2},{seconds:.6f},{2 * ms:.4f},9.5,0\n")
    header = f"//OS=Windows\n//GPU={gpu}\n//Base Driver Version={driver}\n"
    return header + "Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents,MsUntilDisplayed,Dropped\n" + "".join(rows)


def write_recordings(folder):
    (folder / "deep" / "er").mkdir(parents=True)
    good = {
        "a.csv": mangohud("Mesa 25.1", "RX 6800", 5),
        "b.csv": mangohud("Mesa 25.2", "RX 6800", 0),
        "deep/c.csv": mangohud("Mesa 25.1", "RX 7600", 2),
        "deep/er/d.csv": capframex("581.15", "RTX 5070", 3),
        "deep/er/e.csv": "\n".join(str(ms) for ms in times(900, 1)),
    }
    bad = {
        "empty.csv": b"",
        "latin1.csv": "Spiel,Größe\n1,2\n".encode("latin1"),
        "notes.txt": b"no frames in here\n",
        "row.csv": b"16\n17\nsixteen\n16\n",
        "packed.csv.gz": gzip.compress(b"16\n17\n", mtime=0),
        "huge-line.csv": b"16\n" + b"1" * 3_000_000 + b"\n17\n",
        "nul.csv": bytes(1000),
    }
    for name, text in good.items():
        (folder / name).write_text(text)
    for name, content in bad.items():
        (folder / name).write_bytes(content)
    os.symlink(folder, folder / "deep" / "loop")
    os.symlink("nowhere", folder / "deep" / "nowhere.csv")
    return [str(folder / name) for name in good], [str(folder / name) for name in [*bad, "deep/nowhere.csv"]]


def expected_answers(files, errors):
    """The expected answers to the page's queries, from the command's JSON."""
    chains = [(file, chain) for file in files for chain in file["chains"]]

    def grouped(part):
        groups = collections.defaultdict(list)
        for file, chain in chains:
            if part in file.get("machine", {}):
                groups[file["machine"][part]].append(chain)
        return groups

    drivers = [
        (driver, sum(len(c["hitches"]) for c in of), 60 * sum(len(c["hitches"]) for c in of) / sum(c["seconds"] for c in of))
        for driver, of in grouped("driver").items()
    ]
    stutters = [
        (file["file"], chain["process"], chain["stutter_time_pct"], chain["diagnosis"][0]["cure"])
        for file, chain in chains
        if chain["stutter_time_pct"] > 0
    ]
    kinds = collections.Counter(", ".join(one["kind"] for one in chain["diagnosis"]) for _, chain in chains)
    cards = [
        (gpu, sum(c["frames"] for c in of), sum(c["seconds"] for c in of), max(c["frame_time_ms"]["max"] for c in of))
        for gpu, of in grouped("gpu").items()
    ]
    return [
        sorted(drivers, key=lambda row: (-row[2], row[0])),
        sorted(stutters, key=lambda row: (-row[2], row[0], row[1]))[:10],
        sorted(kinds.items(), key=lambda row: (-row[1], row[0])),
        sorted(cards),
        sorted(errors.items()),
    ]


def same(one, other):
    if isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9)
    return one == other


def compare(engine, query, answer, expected):
    assert len(expected) > 1, f"nothing to compare for {query}"
    rows_agree = len(answer) == len(expected) and all(
        len(row) == len(wanted) and all(map(same, row, wanted)) for row, wanted in zip(answer, expected)
    )
    assert rows_agree, f"{engine} answers\n{answer}\nwhere the command says\n{expected}\nto\n{query}"


def check_columns(page, tables):
    """Checks that every table has the columns that the page lists, in that order, each with a description."""
    for name in ["files", "chains", "frames"]:
        line = next(line for line in page.splitlines() if line.startswith(f"| `{name}"))
        listed = re.findall(r"`(\w+)`", line.split("|")[3])
        for path in [tables / f"{name}.parquet"] if name != "frames" else (tables / name).iterdir():
            schema = pyarrow.parquet.read_schema(path)
            assert schema.names == listed, f"{path}: {schema.names}, the page has {listed}"
            metadata = schema.metadata
            assert (metadata[b"evenstep.table"], metadata[b"evenstep.schema"]) == (name.encode(), b"1")
            assert all(metadata[f"evenstep.about.{column}".encode()] for column in listed)


def main():
    evenstep, page = str(pathlib.Path(sys.argv[1]).absolute()), pathlib.Path(sys.argv[2]).read_text()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        good, bad = write_recordings(folder / "captures")
        tables = folder / "tables"
        subprocess.run([evenstep, "analyze", folder / "captures", "--parquet", tables], check=True, stderr=subprocess.DEVNULL)
        assert sorted(path.name for path in folder.iterdir()) == ["captures", "tables"]

        files = json.loads(subprocess.run([evenstep, "analyze", *good, "--json"], check=True, capture_output=True).stdout)["files"]
        errors = {}
        for path in bad:
            failed = subprocess.run([evenstep, "analyze", path], capture_output=True, text=True)
            assert failed.returncode == 1
            errors[path] = failed.stderr.removeprefix("evenstep: ").rstrip("\n")
        expected = expected_answers(files, errors)
        queries = re.findall(r"^```sql\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
        assert len(queries) == len(expected) == 5

        check_columns(page, tables)
        os.chdir(folder)
        for block in re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
            exec(block, {})
        session = datafusion.SessionContext()
        for name, path in [("files", "files.parquet"), ("chains", "chains.parquet"), ("frames", "frames")]:
            session.register_parquet(name, str(tables / path))
        for query, answer in zip(queries, expected):
            compare("DuckDB", query, duckdb.sql(query).fetchall(), answer)
            rows = [tuple(row.values()) for row in session.sql(query).to_pylist()]
            compare("DataFusion", query, rows, answer)

        frames = polars.read_parquet(str(tables / "frames" / "*.parquet"))
        chains = pyarrow.parquet.read_table(tables / "chains.parquet").to_pylist()
        counts = frames.filter(polars.col("frame_ms").is_not_null()).group_by("file", "chain").len()
        counted = {(file, chain): count for file, chain, count in counts.iter_rows()}
        assert counted == {(chain["file"], chain["chain"]): chain["frames"] for chain in chains}
    print(f"{len(queries)} queries, {len(chains)} chains, {frames.height} frames: DuckDB, DataFusion, Polars and pyarrow agree")


main()
