"""Up to which rate syslogudp loses nothing."""
import dataclasses
import statistics
import time

from flows import NULL, Flow, memory_channel
from tables import table, thousands
from verdict import at_least

FLOW = Flow("syslogudp-null", "syslogudp → memory → null", load="datagrams",
            source={"type": "syslogudp", "host": "127.0.0.1", "port": "@PORT@"},
            channel=memory_channel(capacity=100_000, transactionCapacity=1_000), sink={**NULL, "batchSize": 1_000})
FIRST = {"millrace": 100_000, "flume": 5_000}  # Messages a second of the first step.
STEP = 1.25         # From one rate to the next.
WARM_UP = 100_000   # Messages.
QUIET_SECONDS = 1   # Nothing has come for so long: what is missing is lost.
TIMES_FLUME = 10


@dataclasses.dataclass(frozen=True)
class Ladder:
    """Messages a second: the highest rate without a loss, the next one, at which some were lost (or the sender's own limit),
    and how many of those sent."""
    kept: float
    lost_at: float
    lost: int
    sent: int
    by_sender: bool

    def __str__(self):
        end = "the sender's limit" if self.by_sender else f"{self.lost:,} of {self.sent:,} lost"
        return f"none lost at {self.kept:,.0f} a second; {end} at {self.lost_at:,.0f}"


def settled(rig, expected):
    """What the peer has put into its channel when all has come, or when nothing comes any more."""
    found, moved = rig.peer.put(rig), time.monotonic()
    while found < expected and time.monotonic() - moved < QUIET_SECONDS:
        time.sleep(0.02)
        now = rig.peer.put(rig)
        if now != found:
            found, moved = now, time.monotonic()
    return found


@dataclasses.dataclass(frozen=True)
class LossRow:
    seconds: float = 3  # Of a step.
    name: str = FLOW.name
    title: str = f"{FLOW.title}: the rate up to which nothing is lost"

    def scaled(self, factor):
        return dataclasses.replace(self, seconds=max(self.seconds * factor, 0.5))

    def measure(self, bench):
        def one(name):
            with bench.rig(FLOW, name) as rig, rig.started() as program:
                rig.wait_listening(program)
                return self.climb(bench, rig, name)
        names = [name for name in FIRST if bench.wanted is None or name in bench.wanted]
        return {name: self.median_of(found) for name, found in bench.in_turn(one, names, min(bench.runs, 3)).items()}

    @staticmethod
    def median_of(runs):
        return {"kept": statistics.median(each.kept for each in runs), "runs": len(runs),
                "lost_at": statistics.median(each.lost_at for each in runs), "by_sender": any(each.by_sender for each in runs)}

    def climb(self, bench, rig, name):
        self.wait_for_first(bench, rig)
        self.send(bench, rig, WARM_UP, FIRST[name])
        kept, rate = 0, FIRST[name]
        while True:
            before, messages = settled(rig, 0), int(rate * self.seconds)
            took = self.send(bench, rig, messages, rate)
            lost = before + messages - settled(rig, before + messages)
            slow = took > 1.05 * messages / rate
            if lost or slow:
                return Ladder(kept, messages / took, lost, messages, slow and not lost)
            kept, rate = rate, rate * STEP

    @staticmethod
    def wait_for_first(bench, rig):
        """Until a message comes through."""
        while settled(rig, 1) == 0:
            bench.program("paced_udp", rig.ports[0], 1, 1, FLOW.event_bytes)

    @staticmethod
    def send(bench, rig, messages, rate):
        return float(bench.program("paced_udp", rig.ports[0], messages, rate, FLOW.event_bytes))


ROWS = [LossRow()]


def verdicts(results):
    figures = results.get(FLOW.name, {})
    if {"millrace", "flume"} <= set(figures):
        yield at_least(f"{FLOW.title}: rate without a loss ÷ the rate at which Flume starts to lose",
                       figures["millrace"]["kept"] / figures["flume"]["lost_at"], TIMES_FLUME)


def details(results):
    found = {name: results[FLOW.name][name] for name in FIRST if name in results.get(FLOW.name, {})}
    rows = [[name, thousands(each["kept"]), thousands(each["lost_at"]) + (" (the sender's limit)" if each["by_sender"] else ""),
             each["runs"]] for name, each in found.items()]
    return f"""## Datagrams

{table([FLOW.title + ", 300 bytes a message", "a second, none lost", "the next step, some lost", "runs"], rows)}
`bench/paced_udp.cc` sends for {LossRow().seconds} s at an even rate, then at {STEP} times that, until a message is lost. Both peers have
their default receive buffer: Millrace asks for 16 MiB.
"""
