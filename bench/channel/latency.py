"""How long one small event waits for its commit on an idle disk, beside a bare write and fdatasync."""
import dataclasses
import statistics

from flows import NETCAT, NULL, Flow, file_channel
from verdict import at_most
from tables import table

FLOW = Flow("latency", "", load="by hand", source=NETCAT, channel=file_channel(), sink=NULL, events={"millrace": 0, "flume": 0})
PAUSE_MS = 10     # The acknowledgement, 5 ms behind, has its own sync: it is over by then.
WARM_UP = 50      # Rounds.
MOST = 2.0        # Times the bare loop's.
PERCENTILES = {"p50": 0.5, "p99": 0.99}


@dataclasses.dataclass(frozen=True)
class Waits:
    """Microseconds: {"p50": …, "p99": …} of the agent's commits, and of the bare writes between them."""
    event: dict
    bare: dict

    def __str__(self):
        return ", ".join(f"{name} {self.event[name]:,.0f} µs, bare {self.bare[name]:,.0f} µs" for name in PERCENTILES)


def percentiles(nanoseconds):
    ordered = sorted(nanoseconds)
    return {name: ordered[min(int(len(ordered) * part), len(ordered) - 1)] / 1000 for name, part in PERCENTILES.items()}


@dataclasses.dataclass(frozen=True)
class LatencyRow:
    rounds: int = 500
    name: str = "latency"
    title: str = "one event of 300 bytes: netcat → file, 1 dir, until its OK"

    def scaled(self, factor):
        return dataclasses.replace(self, rounds=max(int(self.rounds * factor), 100))

    def measure(self, bench):
        def one(name):
            with bench.rig(FLOW, name) as rig, rig.started() as program:
                rig.wait_listening(program)
                printed = bench.program("commit_latency", rig.ports[0], rig.folder / "bare", self.rounds + WARM_UP, PAUSE_MS,
                                        FLOW.event_bytes)
            rounds = [tuple(map(int, line.split())) for line in printed.splitlines()][WARM_UP:]
            return Waits(*map(percentiles, zip(*rounds)))
        names = [name for name in ("millrace", "flume") if bench.wanted is None or name in bench.wanted]
        return {name: {"runs": len(found), "rounds": self.rounds,
                       **{part: {each: statistics.median(getattr(run, part)[each] for run in found) for each in PERCENTILES}
                          for part in ("event", "bare")},
                       "ratio": statistics.median(run.event["p99"] / run.bare["p99"] for run in found)}
                for name, found in bench.in_turn(one, names).items()}


ROW = LatencyRow()
ROWS = [ROW]


def verdicts(results):
    figures = results.get(ROW.name, {}).get("millrace")
    if not figures:
        return []
    return [at_most("commit latency of one small event, idle disk: p99 ÷ p99 of a bare write + fdatasync", figures["ratio"], MOST)]


def details(results):
    rows = []
    for peer in ("millrace", "flume"):
        figures = results.get(ROW.name, {}).get(peer)
        if figures:
            waits = [f"{figures[part][each]:,.0f} µs" for part in ("event", "bare") for each in PERCENTILES]
            rows.append([peer, *waits, f"{figures['ratio']:.2f}", f"{figures['runs']} × {figures['rounds']}"])
    return f"""## Commit latency

{table(["peer", "event p50", "event p99", "bare p50", "bare p99", "p99 ÷ p99", "runs × events"], rows)}
A client sends a line of 300 bytes to the netcat source, waits for its OK and pauses for {PAUSE_MS} ms; then it writes 4 KiB, which
is what the channel writes for such an event, over a block that was written before, syncs it, and pauses
(`bench/commit_latency.cc`). TCP, the event loop and the threads between are in the event's time. Medians of the runs' figures.
"""
