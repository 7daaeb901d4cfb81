"""What an agent costs that follows many quiet files, and holds many quiet connections."""
import contextlib
import dataclasses
import resource
import socket
import time

from flows import NULL, SYSLOG, Flow, memory_channel
from harness.process import cpu_seconds, peak_memory, wait_until
from sources.rates import TAILDIR
from tables import table
from verdict import at_most

COUNT = 10_000
SECONDS = 30
SETTLE_SECONDS = 5
MOST_PERCENT, MOST_MIB = 1, 200
SLOW_LOOKS = {"backoffSleepIncrement": 1000, "maxBackoffSleep": 5000}  # Flume's, and our, defaults.


@dataclasses.dataclass(frozen=True)
class Quiet(Flow):
    """COUNT of files or connections, which give one event each."""
    channel: dict = dataclasses.field(default_factory=memory_channel)
    sink: dict = dataclasses.field(default_factory=lambda: NULL)
    events: dict = dataclasses.field(default_factory=lambda: {"millrace": COUNT})


# Two agents: one process may not have so many descriptors, and what they cost adds up.
FILES = Quiet("files", "", load="files", files=COUNT, source={**TAILDIR, **SLOW_LOOKS}, warm_up_events={"millrace": COUNT})
CONNECTIONS = Quiet("connections", "", load="by hand", source=SYSLOG)


@dataclasses.dataclass(frozen=True)
class Cost:
    percent: float  # Of a core.
    peak_bytes: int
    missing: int

    def __str__(self):
        return f"{self.percent:.2f} % of a core, {self.peak_bytes / 2**20:.0f} MiB"


def connect(port):
    client = socket.create_connection(("127.0.0.1", port), 30)
    client.sendall(b"<13>Oct 11 22:14:15 host app: first\n")
    return client


@dataclasses.dataclass(frozen=True)
class IdleRow:
    name: str = "idle"
    title: str = f"{COUNT:,} tailed files and {COUNT:,} connections, all quiet"

    def scaled(self, factor):
        return self

    def measure(self, bench):
        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
        files, connections = self.cost(bench, FILES), self.cost(bench, CONNECTIONS)
        print(f"  files: {files}\n  connections: {connections}", flush=True)
        return {"millrace": {"files": dataclasses.asdict(files), "connections": dataclasses.asdict(connections),
                             "missing": files.missing + connections.missing}}

    @staticmethod
    def cost(bench, scenario):
        with bench.rig(scenario) as rig, rig.started() as program, contextlib.ExitStack() as clients:
            rig.wait_listening(program)
            if scenario == FILES:
                rig.load.offer(rig, COUNT, first=True)
            else:
                for _ in range(COUNT):
                    clients.enter_context(connect(rig.ports[0]))
            wait_until(lambda: rig.peer.taken(rig) >= COUNT, 60)
            time.sleep(SETTLE_SECONDS)  # A part of the measure: what follows the last event is over.
            begin, cpu = time.monotonic(), cpu_seconds(program.pid)
            time.sleep(SECONDS)
            percent = 100 * (cpu_seconds(program.pid) - cpu) / (time.monotonic() - begin)
            return Cost(percent, peak_memory(program.pid), COUNT - rig.peer.taken(rig))


ROWS = [IdleRow()]


def verdicts(results):
    if figures := results.get("idle", {}).get("millrace"):
        both = [figures["files"], figures["connections"]]
        yield at_most(f"{ROWS[0].title}: CPU over {SECONDS} s", sum(each["percent"] for each in both), MOST_PERCENT, " % of a core")
        yield at_most(f"{ROWS[0].title}: peak RSS", sum(each["peak_bytes"] for each in both) / 2**20, MOST_MIB, " MiB")


def details(results):
    figures = results.get("idle", {}).get("millrace")
    if not figures:
        return ""
    rows = [[f"{COUNT:,} {name}", f"{figures[name]['percent']:.2f} %", f"{figures[name]['peak_bytes'] / 2**20:.0f} MiB"]
            for name in ("files", "connections")]
    return f"""## Quiet files and connections

{table(["what an agent has open", "of a core", "peak RSS"], rows)}
Each of them gave one event before. Two agents, whose figures add up: a process may have 20,000 files open on this machine,
and both together take a few more.
"""
