"""Measures and diagnoses many recordings: python analyze.py FOLDER OUT.jsonl --scheduler tcp://HOST:8786"""

import json

import cluster


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


if __name__ == "__main__":
    cluster.run(analyze, cluster.arguments("Measures and diagnoses many recordings."))
