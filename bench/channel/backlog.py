"""A channel that is full when the agent starts: how soon it accepts, how fast it drains."""
import dataclasses
import os
import pathlib
import signal
import socket
import statistics
import time

from flows import EXEC, NETCAT, NULL, Flow, file_channel
from verdict import Verdict, at_least, at_most
from harness.process import peak_memory, wait_until
from scenarios import MILLION
from tables import table

BUDGET_MIB = 64   # -Xmx of the agent: what its memory is held against.
MOST_RUNS = 3     # To fill the channel takes longer than to start from it.
FLOW = Flow("", "", load="by hand", source=NETCAT, channel=file_channel(capacity=20 * MILLION), sink=NULL)
FLUME_EVENTS = 500_000
FLUME_FILL = Flow("", "", source=EXEC, channel=FLOW.channel, sinks=0, events={"flume": FLUME_EVENTS - 10_000},
                  warm_up_events={"flume": 10_000})


def drop_page_cache():
    os.sync()
    pathlib.Path("/proc/sys/vm/drop_caches").write_text("3\n")


def first_accept(port):
    """Sends a line, as soon as somebody listens, until one is answered."""
    def accepted():
        try:
            with socket.create_connection(("127.0.0.1", port), 30) as client:
                client.sendall(b"first\n")
                return client.recv(3) == b"OK\n"
        except OSError:
            return False
    return wait_until(accepted, 60, pause=0.001)


@dataclasses.dataclass(frozen=True)
class Start:
    accept_ms: float
    accept_bytes: int   # Peak RSS by then,
    peak_bytes: int     # and when all was drained.
    seconds: float      # From the start until then.
    events: int
    log_bytes: int
    missing: int

    @property
    def rate(self):
        return self.events / self.seconds

    def __str__(self):
        return (f"accepts after {self.accept_ms:,.0f} ms with {self.accept_bytes / 2**20:.0f} MiB; drained "
                f"{self.log_bytes / 1e9:.1f} GB after {self.seconds:.1f} s, {self.rate:,.0f} events/s, "
                f"{self.peak_bytes / 2**20:.0f} MiB, {self.missing} missing")


def fill_flume(rig):
    """Flume fills its channel itself, without a sink, and stops in order."""
    rig.scenario = FLUME_FILL
    with rig.started() as program:
        rig.load.offer(rig, FLUME_EVENTS, first=False)
        put, _ = rig.wait_for(rig.peer.put, program, FLUME_EVENTS)
        if put != FLUME_EVENTS or not program.stop(60):
            raise RuntimeError(f"flume put {put} events:\n{program.log_text()[-3000:]}")
    rig.scenario = FLOW


@dataclasses.dataclass(frozen=True)
class Backlog:
    """A channel with so many events, none of them in the page cache, and an agent that starts with it."""
    name: str
    title: str
    events: int
    event_bytes: int
    batch: int    # Events of a record.
    end: str      # How the process that filled it ended: "stop" or "kill".
    peers: tuple = ("millrace",)

    def scaled(self, factor):
        return dataclasses.replace(self, events=max(int(self.events * factor), 10_000))

    def measure(self, bench):
        def one(name):
            with bench.rig(FLOW, name) as rig:
                return self.start(bench, rig)
        names = [name for name in self.peers if bench.wanted is None or name in bench.wanted]
        return {name: self.median_of(found) for name, found in bench.in_turn(one, names, min(bench.runs, MOST_RUNS)).items()}

    @staticmethod
    def median_of(runs):
        middle = {field.name: statistics.median(getattr(run, field.name) for run in runs) for field in dataclasses.fields(Start)}
        return {**middle, "rate": statistics.median(run.rate for run in runs), "runs": len(runs),
                "missing": sum(run.missing for run in runs)}

    def start(self, bench, rig):
        events, data, options = self.events, rig.folder / "data0", [f"-Xmx{BUDGET_MIB}m"]
        if rig.peer.name == "flume":
            events, options = FLUME_EVENTS, []
            fill_flume(rig)
        else:
            bench.program("fill_channel", rig.folder / "checkpoint", data, events, self.event_bytes, self.batch, self.end,
                          ends_with=-signal.SIGKILL if self.end == "kill" else 0)
        log_bytes = sum(path.stat().st_blocks * 512 for path in data.iterdir())
        drop_page_cache()
        with rig.started(*options) as program:
            accepted = first_accept(rig.ports[0])
            accept_ms = (time.monotonic() - rig.begin) * 1000
            accept_bytes = peak_memory(program.pid)
            if not accepted:
                raise RuntimeError(f"nothing is accepted:\n{program.log_text()[-3000:]}")
            taken, end = rig.wait_for(rig.peer.taken, program, events + 1)
            return Start(accept_ms, accept_bytes, peak_memory(program.pid), end - rig.begin, taken, log_bytes, events + 1 - taken)


STOPPED = Backlog("restart", "start with 10 M records of one event of 16 bytes, after an orderly stop", 10 * MILLION, 16, 1, "stop")
KILLED = Backlog("restart-killed", "the same after kill -9", 10 * MILLION, 16, 1, "kill")
DRAIN = Backlog("drain", "drain of 10 M events of 300 bytes in records of 1,000, from disk", 10 * MILLION, 300, 1000, "stop",
                ("millrace", "flume"))
ROWS = [STOPPED, KILLED, DRAIN]


def figures_of(results, row, peer="millrace"):
    return results.get(row.name, {}).get(peer)


def verdicts(results):
    found = []
    for row in (STOPPED, KILLED):
        figures = figures_of(results, row)
        if figures:
            peak = max(figures["accept_bytes"], figures["peak_bytes"]) / 2**20
            found.append(at_most(f"{row.title}: first accept", figures["accept_ms"] / 1000, 1.0, " s"))
            found.append(Verdict(f"{row.title}: peak RSS, -Xmx{BUDGET_MIB}m", f"≤ 64 MiB + {BUDGET_MIB} MiB", f"{peak:.0f} MiB",
                                 peak <= 64 + BUDGET_MIB))
    if figures := figures_of(results, DRAIN):
        found.append(at_least(DRAIN.title, figures["rate"] / MILLION, 1.0, " M events/s"))
    return found


def details(results):
    rows = []
    for row, peer in [(row, peer) for row in ROWS for peer in row.peers]:
        if figures := figures_of(results, row, peer):
            rows.append([row.title, peer, f"{figures['log_bytes'] / 1e9:.1f} GB", f"{figures['accept_ms']:,.0f} ms",
                         f"{figures['accept_bytes'] / 2**20:.0f} MiB", f"{figures['seconds']:.1f} s",
                         f"{figures['rate'] / MILLION:.2f} M", f"{figures['peak_bytes'] / 2**20:.0f} MiB", figures["missing"],
                         figures["runs"]])
    head = ["backlog", "peer", "log", "first accept", "peak RSS by then", "drained after", "events/s", "peak RSS", "missing", "runs"]
    return f"""## Starting with a backlog

{table(head, rows)}
`bench/fill_channel.cc` fills the channel through its own code; then the page cache is dropped and an agent starts with
`-Xmx{BUDGET_MIB}m`: netcat → file, 1 dir → null. *First accept* is the OK for a line that is sent from the start on; times
count from the start of the process. A backlog of 10 M records stands for one of 50 GB: what a start looks at are record
headers. Flume has {FLUME_EVENTS:,} events, which it put itself from an exec source, and its heap of 2 GiB.
"""
