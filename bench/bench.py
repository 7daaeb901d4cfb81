"""What the suites share: peers by their names, runs in turn, medians."""
import dataclasses
import pathlib
import statistics
import subprocess

import peers
from rig import Inputs, Rig

TOP = pathlib.Path(__file__).resolve().parents[1]
BARE = "bare loop"  # The same system calls and nothing else.


@dataclasses.dataclass(frozen=True)
class Suite:
    """Rows that are measured and written up together. `results`: name of a row → what its measure() gave."""
    rows: list
    record: str        # In docs/benchmarks.
    tables: object     # results → text to print
    pages: object      # results → {name of a file in docs/benchmarks: its text}
    reached: object    # results → nothing was lost, and every target is reached


class Bench:
    """What is measured, and how often."""

    def __init__(self, millrace, runs, wanted):
        self.millrace, self.runs, self.wanted = millrace, runs, wanted
        self.programs = millrace.parent / "bench"
        self.inputs = Inputs(TOP / "build/bench-input")
        self.made = {}

    def peer(self, name):
        makers = {"millrace": lambda: peers.Millrace(self.millrace), "flume": peers.flume, "rsyslog": peers.Rsyslog,
                  BARE: lambda: peers.BareLoop(self.programs)}
        if name not in self.made:
            self.made[name] = makers.get(name, lambda: peers.Millrace(self.millrace, name))()
        return self.made[name]

    def rig(self, scenario, peer="millrace"):
        return Rig(scenario, self.peer(peer), self.millrace, self.inputs)

    def in_turn(self, one, names, runs=None):
        """name → what `one(name)` gave in each of the runs: A, B, A, B, … so that a slow minute meets all."""
        found = {name: [] for name in names}
        for number in range(runs or self.runs):
            for name in names:
                found[name].append(one(name))
                print(f"  {name} run {number + 1}: {found[name][-1]}", flush=True)
        return found

    def rates(self, scenario, runs=None):
        """Peer → medians of the scenario's figures."""
        def one(name):
            with self.rig(scenario, name) as rig:
                return rig.run()
        names = [name for name in scenario.peers if self.wanted is None or name in self.wanted]
        return {name: median_of(found) for name, found in self.in_turn(one, names, runs).items()}

    def program(self, name, *arguments, ends_with=0):
        """What a program of bench/ prints."""
        done = subprocess.run([self.programs / name, *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode != ends_with:
            raise RuntimeError(f"{name}: status {done.returncode}: {done.stderr}")
        return done.stdout


def median_of(runs):
    """The medians of each figure; missing events add up."""
    middle = {field: statistics.median(getattr(run, field) for run in runs)
              for field in ("rate", "per_cpu_second", "written_rate", "peak_bytes", "listening_ms")}
    return {**middle, "missing": sum(run.missing for run in runs), "runs": len(runs), "rates": [run.rate for run in runs]}
