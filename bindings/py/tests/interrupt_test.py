"""Ctrl-C during long calls, which a child process makes, so that nobody else is interrupted."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

# Each takes over a second of processor time.
CALLS = {
    "analyze": "analyze(path)",
    "analyze of bytes": "analyze(Path(path).read_bytes(), columns=False)",
    "simulate": "simulate(path)",
}


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that takes seconds."""
    path = tmp_path_factory.mktemp("long") / "recording.csv"
    with path.open("w") as file:
        file.write("Application,ProcessID,SwapChainAddress,MsBetweenPresents\n")
        for _ in range(40):
            file.write("game.exe,7,0x1,16.7\n" * 100_000)
    return path


@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c_ends_every_long_call_at_once(call: str, recording: Path) -> None:
    program = f"""
import signal, sys, threading, time
from pathlib import Path
from evenstep import analyze, simulate
path = {str(recording)!r}
signal.signal(signal.SIGINT, signal.default_int_handler)
begun = []
def interrupt():
    # The other thread runs while the call lasts.
    begun.append(time.process_time())
    signal.raise_signal(signal.SIGINT)
try:
    threading.Timer(0.2, interrupt).start()
    {CALLS[call]}
except KeyboardInterrupt:
    ended = time.process_time()
    time.sleep(1.0)
    print(ended - begun[0], time.process_time() - ended)
"""
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=False)
    assert child.returncode == 0, child.stderr
    # Processor time, of which other programs take none. The whole call would take over a second, and so would what is left of it.
    until, after = map(float, child.stdout.split())
    assert until < 0.5 and after < 0.3, child.stdout


def test_a_handler_that_raises_nothing_interrupts_nothing(recording: Path) -> None:
    program = f"""
import signal, threading
from pathlib import Path
from evenstep import analyze
text = Path({str(recording)!r}).read_bytes()[:8_000_000]
received = []
signal.signal(signal.SIGINT, lambda *_: received.append(1))
timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
timer.start()
frames = analyze(text, lenient=True, columns=False).main.metrics["frames"]
timer.join()
print(frames >= text.count(b"\\n") - 1, len(received))
"""
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=False)
    assert child.stdout == "True 1\n", child.stderr
