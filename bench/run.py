#!/usr/bin/env python3
"""Measures Millrace beside its peers on this machine, in turn, and writes docs/benchmarks.

usage: run.py [channel | sources] [--millrace PROGRAM] [--runs N] [--scale X] [--peers A,B] [--no-write] [ROW...]

Without a suite: whole agents over the memory channel (agent_suite.py). channel: the file channel, beside its disk
(channel/). sources: files, datagrams and regular expressions (sources/). Figures are medians of the runs. Results of rows that are not run this time stay as they were. Exit status
1 when a run lost events or a target is missed.
"""
import argparse
import datetime
import json
import pathlib
import subprocess
import sys

import agent_suite  # noqa: E402  (beside this file)
from bench import TOP, Bench
from channel import channel_suite
from sources import sources_suite

SUITES = {"agent": agent_suite.SUITE, "channel": channel_suite.SUITE, "sources": sources_suite.SUITE}
FOLDER = TOP / "docs/benchmarks"


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--millrace", type=pathlib.Path, default=TOP / "build/release/millrace")
    parser.add_argument("--runs", type=int, default=5, help="each peer; a row that takes long has fewer")
    parser.add_argument("--scale", type=float, default=1, help="times the usual event counts")
    parser.add_argument("--peers", type=lambda text: text.split(","), help="only these, by comma")
    parser.add_argument("--no-write", action="store_true", help="print only")
    parser.add_argument("rows", nargs="*", metavar="[SUITE] ROW",
                        help="; ".join(f"{name}: {', '.join(row.name for row in suite.rows)}" for name, suite in SUITES.items()))
    options = parser.parse_intermixed_args()
    options.suite = SUITES[options.rows.pop(0) if options.rows and options.rows[0] in SUITES else "agent"]
    unknown = set(options.rows) - {row.name for row in options.suite.rows}
    if unknown:
        parser.error(f"no row {', '.join(sorted(unknown))}")
    return options


def commit():
    answer = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=TOP, capture_output=True, text=True, check=False)
    return answer.stdout.strip()


def write(suite, results):
    FOLDER.mkdir(parents=True, exist_ok=True)
    files = {suite.record: json.dumps(results, indent=1, sort_keys=True) + "\n", **suite.pages(results)}
    for name, text in files.items():
        (FOLDER / name).write_text(text)
    print(f"Wrote docs/benchmarks: {', '.join(files)}")


def main():
    options = parse()
    suite = options.suite
    record = FOLDER / suite.record
    results = json.loads(record.read_text()) if record.exists() else {}
    bench = Bench(options.millrace, options.runs, options.peers)
    for row in suite.rows:
        if not options.rows or row.name in options.rows:
            print(f"{row.name}: {row.title}", flush=True)
            measured = row.scaled(options.scale).measure(bench)
            results[row.name] = {**results.get(row.name, {}), **measured,
                                 "measured": f"{datetime.date.today()} at commit {commit()}"}
    print("\n" + suite.tables(results))
    if not options.no_write:
        write(suite, results)
    return 0 if suite.reached(results) else 1


if __name__ == "__main__":
    sys.exit(main())
