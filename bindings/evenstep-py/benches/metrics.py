"""The metrics of a recording by evenstep and by pandas, from the same file, in turns: python benches/metrics.py [ROWS] [ROUNDS]

pandas computes frame times, percentiles, low frame rates, animation error and stutter; evenstep besides these the hitches, the
intervals of the display and the diagnosis. pyarrow reads on several threads.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

import evenstep

COLUMNS = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,Dropped,TimeInSeconds"
COLUMNS += ",MsInPresentAPI,MsBetweenPresents,MsUntilRenderComplete,MsUntilDisplayed,MsBetweenDisplayChange"


def written(file: Path, rows: int) -> None:
    """A capture of PresentMon 1 with a frame in 300 that is a hitch."""
    random = np.random.default_rng(1)
    times = np.where(random.random(rows) < 1 / 300, 60, 16.7) + random.normal(0, 0.8, rows)
    table = pd.DataFrame({name: "0" for name in COLUMNS.split(",")}, index=range(rows))
    table["Application"], table["ProcessID"], table["SwapChainAddress"] = "game.exe", "4711", "0x1"
    table["Runtime"], table["PresentMode"] = "DXGI", "Hardware: Independent Flip"
    table["TimeInSeconds"] = (np.cumsum(times) / 1000).round(6)
    table["MsBetweenPresents"] = times.round(4)
    table["MsInPresentAPI"] = random.random(rows).round(4)
    table["MsUntilRenderComplete"] = (5 + random.random(rows)).round(4)
    table["MsUntilDisplayed"] = (10 + random.random(rows)).round(4)
    table["MsBetweenDisplayChange"] = times.round(4)
    table.to_csv(file, index=False)


def by_evenstep(file: Path, columns: bool) -> dict[str, float]:
    metrics = evenstep.analyze(file, columns=columns).main.metrics
    times = metrics["frame_time_ms"]
    figures = {name: times[name] for name in ("mean", "median", "p95", "p99", "p999", "max", "std")}
    return figures | {"low": metrics["fps_low_1pct"], "stutter": metrics["stutter_time_pct"]}


def by_pandas(file: Path, columns: list[str] | None, engine: str = "c") -> dict[str, float]:
    table = pd.read_csv(file, usecols=columns, engine=engine)
    _, table = max(table.groupby(["Application", "ProcessID", "SwapChainAddress"]), key=lambda group: len(group[1]))
    times = table["MsBetweenPresents"]
    quantiles = times.quantile([0.5, 0.95, 0.99, 0.999])
    slowest = times.nlargest(max(1, len(times) // 100))
    return {
        "mean": times.mean(),
        "median": quantiles[0.5],
        "p95": quantiles[0.95],
        "p99": quantiles[0.99],
        "p999": quantiles[0.999],
        "max": times.max(),
        "std": times.std(ddof=0),
        "low": 1000 / slowest.mean(),
        "stutter": 100 * times[times > 2.5 * times.mean()].sum() / times.sum(),
    }


def main() -> None:
    rows, rounds = (int(number) for number in (sys.argv[1:] + ["300000", "9"][len(sys.argv) - 1 :]))
    needed = ["Application", "ProcessID", "SwapChainAddress", "MsBetweenPresents"]
    ways: dict[str, Callable[[Path], dict[str, float]]] = {
        "evenstep.analyze(columns=False)": lambda file: by_evenstep(file, False),
        "evenstep.analyze, with the columns as Arrow": lambda file: by_evenstep(file, True),
        "pandas, all columns": lambda file: by_pandas(file, None),
        "pandas, all columns, read by pyarrow": lambda file: by_pandas(file, None, "pyarrow"),
        "pandas, only the columns that the metrics need": lambda file: by_pandas(file, needed),
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "capture.csv"
        written(file, rows)
        figures = [way(file) for way in ways.values()]
        for name, figure in figures[0].items():
            # Of percentiles, each library has its own definition between two values.
            np.testing.assert_allclose([other[name] for other in figures], figure, rtol=2e-3, err_msg=name)
        ratios: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds):
            seconds = {}
            for name, way in ways.items():
                begin = time.perf_counter()
                way(file)
                seconds[name] = time.perf_counter() - begin
            first = next(iter(seconds.values()))
            for name, taken in seconds.items():
                ratios[name].append(taken / first)
        print(f"{rows} rows, {file.stat().st_size / 1e6:.0f} MB, {rounds} rounds, time in proportion to the first:")
    for name, all_ratios in ratios.items():
        low, high = min(all_ratios), max(all_ratios)
        print(f"  {name:48} {statistics.median(all_ratios):6.2f} x  (from {low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()
