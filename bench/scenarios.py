"""What is measured. Event counts are such that a run takes some seconds on two cores."""
import dataclasses


BARE = "bare loop"      # The same system calls and nothing else.
ENOUGH_OF_BARE = 0.8    # A target counts as reached there, too: nothing is left to gain.


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    conf: str                 # In bench/conf; the same file for Millrace and Flume.
    load: str                 # "hammer" or "exec".
    events: dict              # Peer name -> events of the measured part.
    peers: tuple = ("millrace", "flume")
    ports: int = 1
    connections: int = 1      # Each port.
    padding: str = "x"
    rate: int = 0             # Events a second; 0: as fast as it goes.
    targets: tuple = ()       # Least ratio of (events/s, events per CPU-second) to the other peer.
    event_bytes: int = 300    # On the wire, without the newline.
    bare: str = ""            # The bare loop among the peers: a program of this folder, and its last arguments.

    @property
    def other(self):
        """The peer that targets compare with; None where there is none."""
        return next((name for name in self.peers if name not in ("millrace", BARE)), None)

    def warm_up(self, peer):
        """Events before the measured part, so that a JVM has compiled what is hot."""
        return max(self.events[peer] // 10 // 10_000, 1) * 10_000


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
