"""What the agent suite measures. Event counts are such that a run takes some seconds on two cores."""
import dataclasses

from bench import BARE, TOP


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    conf: str                 # What template() begins with: here a file of bench/conf, the same for Millrace and Flume.
    load: str                 # Of LOADS.
    events: dict              # Peer name -> events of the measured part.
    peers: tuple = ("millrace", "flume")
    ports: int = 1
    sources: int = 1          # Of an exec scenario: each prints an even share.
    files: int = 1            # Of a load of files: those of the measured part, and those of the warm-up.
    connections: int = 1      # Each port.
    padding: str = "x"
    rate: int = 0             # Events a second; 0: as fast as it goes.
    targets: tuple = ()       # Least ratio of (events/s, events per CPU-second) to the other peer.
    event_bytes: int = 300    # On the wire, without the newline.
    warm_up_events: dict = None  # Peer name -> events before the measured part; a tenth of these where it says nothing.
    bare: str = ""            # The bare loop among the peers: a program of this folder, and its last arguments.

    def template(self, peer):
        """The configuration of a peer; the rig fills in what stands between @."""
        return (TOP / "bench/conf" / self.conf).read_text()

    def measure(self, bench):
        return bench.rates(self)

    def scaled(self, factor):
        return dataclasses.replace(self, events={name: self.whole(count * factor) for name, count in self.events.items()})

    @property
    def other(self):
        """The peer that targets compare with; None where there is none."""
        return next((name for name in self.peers if name not in ("millrace", BARE)), None)

    def warm_up(self, peer):
        """Events before the measured part, so that a JVM has compiled what is hot."""
        if self.warm_up_events:
            return self.warm_up_events[peer]
        return self.whole(self.events[peer] / 10)

    def whole(self, events):
        """So many that each source and file has as many of them."""
        least = self.files if self.load == "files" else 10_000 * self.sources
        return max(int(events) // least, 1) * least


MILLION = 1_000_000

SCENARIOS = [
    Scenario("syslogtcp-null", "syslogtcp → memory(100000/1000) → null", "syslog-null.conf", "hammer",
             {"millrace": 20 * MILLION, "flume": MILLION, BARE: 20 * MILLION}, peers=("millrace", "flume", BARE),
             targets=(60, 120), bare="bare_tcp"),
    Scenario("multiport-null", "multiport_syslogtcp → memory → null", "multiport-null.conf", "hammer",
             {"millrace": 20 * MILLION, "flume": 2 * MILLION, BARE: 20 * MILLION}, peers=("millrace", "flume", BARE),
             ports=4, targets=(20, 35), bare="bare_tcp"),
    Scenario("exec-null", "exec `cat` → memory → null", "exec-null.conf", "exec",
             {"millrace": 20 * MILLION, "flume": 5 * MILLION, BARE: 20 * MILLION}, peers=("millrace", "flume", BARE),
             targets=(8, 12), bare="bare_pipe"),
    Scenario("syslogtcp-avro", "syslogtcp → memory → file_roll avro_event snappy, padded bodies", "syslog-avro.conf",
             "hammer", {"millrace": 10 * MILLION, "flume": MILLION}, targets=(40, 60)),
    Scenario("syslogtcp-avro-words", "the same with bodies of random words", "syslog-avro.conf", "hammer",
             {"millrace": 6 * MILLION, "flume": MILLION}, padding="words", targets=(10, 12)),
    Scenario("exec-file-null", "exec → file channel, one data dir, batch 10,000 → null", "exec-file-null.conf", "exec",
             {"millrace": 10 * MILLION, "flume": 500_000, BARE: 10 * MILLION}, peers=("millrace", "flume", BARE),
             targets=(40, 60), bare="bare_log @DIR@"),
    Scenario("syslogtcp-text", "syslogtcp → memory → text file, against rsyslog imptcp → omfile", "syslog-text.conf",
             "hammer", {"millrace": 5 * MILLION, "rsyslog": 4 * MILLION, BARE: 5 * MILLION},
             peers=("millrace", "rsyslog", BARE), targets=(8, None), bare="bare_tcp @DIR@/out/bare"),
    Scenario("connections-1", "syslogtcp → memory → null, one connection", "syslog-null.conf", "hammer",
             {"millrace": 20 * MILLION}, peers=("millrace",)),
    Scenario("connections-1000", "syslogtcp → memory → null, 1,000 connections", "syslog-null.conf", "hammer",
             {"millrace": 20 * MILLION}, peers=("millrace",), connections=1000),
    Scenario("paced", "syslogtcp → memory → null, paced at 200,000 events/s", "syslog-null.conf", "hammer",
             {"millrace": 2 * MILLION}, peers=("millrace",), rate=200_000),
]
