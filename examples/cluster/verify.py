"""Verifies many recorded runs by the command `evenstep-lab`: python verify.py FOLDER OUT.jsonl --scheduler tcp://HOST:8786

The command must be on the path of every worker, or EVENSTEP_LAB name it there.
"""

import cluster


def verify(files: list[str]) -> list[str]:
    """Returns a line for each recording: whether every state was the same."""
    import os
    import subprocess

    command = [os.environ.get("EVENSTEP_LAB", "evenstep-lab"), "verify", "--json", "--", *files]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    lines = done.stdout.splitlines()
    if len(lines) != len(files):
        raise RuntimeError(f"evenstep-lab verify printed {len(lines)} lines for {len(files)} files: {done.stderr.strip()}")
    return lines


if __name__ == "__main__":
    cluster.run(verify, cluster.arguments("Verifies many recorded runs."))
