#!/usr/bin/env python3
"""Measures Millrace beside its peers on this machine, in turn, and writes docs/benchmarks.

usage: run.py [--millrace PROGRAM] [--runs N] [--scale X] [--peers A,B] [--no-write] [SCENARIO...]

Each run starts a peer on the scenario's configuration, warms it up, offers the events and reads events/s, the
CPU time of its own process and its peak memory. Figures are medians of the runs. Results of scenarios that are not
run this time stay as they were. Exit status 1 when a run lost events or the tables miss a target.
"""
import argparse
import dataclasses
import json
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent

import peers  # noqa: E402  (beside this file)
import report  # noqa: E402
from rig import Inputs, Rig  # noqa: E402
from scenarios import BARE, SCENARIOS  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--millrace", type=pathlib.Path, default=TOP / "build/release/millrace")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1, help="times the usual event counts")
    parser.add_argument("--peers", help="only these, by comma")
    parser.add_argument("--no-write", action="store_true", help="print only")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=", ".join(s.name for s in SCENARIOS))
    return parser.parse_args()


def scaled(scenario, scale):
    events = {name: max(int(count * scale) // 10_000, 1) * 10_000 for name, count in scenario.events.items()}
    return dataclasses.replace(scenario, events=events)


def median_of(runs):
    """The medians of each figure; missing events add up."""
    middle = {field: statistics.median(getattr(run, field) for run in runs)
              for field in ("rate", "per_cpu_second", "peak_bytes", "listening_ms")}
    return {**middle, "missing": sum(run.missing for run in runs), "runs": len(runs),
            "rates": [run.rate for run in runs]}


def measure(scenario, chosen, options, inputs):
    runs = {peer.name: [] for peer in chosen}
    for number in range(options.runs):
        for peer in chosen:
            figures = Rig(scenario, peer, options.millrace, inputs).run()
            runs[peer.name].append(figures)
            print(f"  {peer.name} run {number + 1}: {figures.rate:,.0f} events/s, "
                  f"{figures.per_cpu_second:,.0f} a CPU-second, {figures.peak_bytes / 2**20:.0f} MiB, "
                  f"listening after {figures.listening_ms:.0f} ms, {figures.missing} missing", flush=True)
    return {name: median_of(found) for name, found in runs.items()}


def choose(options):
    unknown = set(options.scenarios) - {scenario.name for scenario in SCENARIOS}
    if unknown:
        sys.exit(f"bench: no scenario {', '.join(sorted(unknown))}")
    return [scaled(s, options.scale) for s in SCENARIOS if not options.scenarios or s.name in options.scenarios]


def main():
    options = parse()
    makers = {"millrace": lambda: peers.millrace(options.millrace), "flume": peers.flume, "rsyslog": peers.Rsyslog,
              BARE: lambda: peers.BareLoop(options.millrace.parent / "bench")}
    wanted = options.peers.split(",") if options.peers else list(makers)
    inputs = Inputs(TOP / "build/bench-input")
    record = TOP / "docs/benchmarks/results.json"
    results = json.loads(record.read_text()) if record.exists() else {}
    made = {}
    for scenario in choose(options):
        names = [name for name in scenario.peers if name in wanted]
        print(f"{scenario.name}: {scenario.title}", flush=True)
        for name in names:
            made.setdefault(name, makers[name]())
        results[scenario.name] = {**results.get(scenario.name, {}),
                                  **measure(scenario, [made[name] for name in names], options, inputs)}
        print(report.line_of(scenario, results[scenario.name]), flush=True)
    print()
    print(report.tables(results))
    if not options.no_write:
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
        (record.parent / "results.md").write_text(report.page(results))
        (record.parent / "ratios.svg").write_text(report.plot(results))
        print("Wrote docs/benchmarks: results.json, results.md, ratios.svg")
    return 0 if report.all_reached(results) else 1


if __name__ == "__main__":
    sys.exit(main())
