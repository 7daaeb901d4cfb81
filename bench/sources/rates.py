"""Events a second from files, and through the regex interceptors, beside Flume."""
from bench import BARE
from flows import NULL, SYSLOG, Flow, memory_channel
from scenarios import MILLION
from tables import FIGURES, comparisons, figures_of, table
from verdict import Verdict

CHANNEL = memory_channel(capacity=100_000, transactionCapacity=1_000)
BATCH = {"batchSize": 1_000}
# Flume looks for files each pollDelay, and waits longer each time that it found nothing: not in this measure.
SPOOLDIR = {"type": "spooldir", "spoolDir": "@DIR@/in", "pollDelay": 10, **BATCH}
TAILDIR = {"type": "TAILDIR", "filegroups": "g", "filegroups.g": "@DIR@/in/.*", "positionFile": "@DIR@/positions.json",
           "backoffSleepIncrement": 10, "maxBackoffSleep": 10, **BATCH}
TEXT = {"type": "file_roll", "sink.directory": "@DIR@/out", "sink.rollInterval": 0, "sink.batchSize": 1_000}
REGEX = {**SYSLOG, "interceptors": "e f", "interceptors.e.type": "regex_extractor",
         "interceptors.e.regex": r"hammer-\\d+ (\\w+) (\\d+)", "interceptors.e.serializers": "s1 s2",
         "interceptors.e.serializers.s1.name": "run", "interceptors.e.serializers.s2.name": "number",
         "interceptors.f.type": "regex_filter", "interceptors.f.regex": r"r\\d\\d \\d+ x"}

FILE_ROLL = Flow("spooldir-text", "spooldir, 100 files → memory → file_roll TEXT", load="files", files=100, source=SPOOLDIR,
                 channel=CHANNEL, sink=TEXT, events={"millrace": 5 * MILLION, "flume": MILLION}, peers=("millrace", "flume"),
                 targets=(12, 15))
TAILED = {"load": "files", "source": TAILDIR, "channel": CHANNEL, "sink": {**NULL, **BATCH},
          "events": {"millrace": 25 * MILLION, "flume": 3 * MILLION, BARE: 25 * MILLION},
          "peers": ("millrace", "flume", BARE), "targets": (15, 20), "bare": "bare_files"}
ONE = Flow("taildir-1", "TAILDIR, 1 file → memory → null", **TAILED)
THOUSAND = Flow("taildir-1000", "TAILDIR, 1,000 files → memory → null", files=1_000, **TAILED)
INTERCEPTED = Flow("syslogtcp-regex", "syslogtcp + regex_extractor + regex_filter → memory → null", load="hammer", source=REGEX,
                   channel=CHANNEL, sink={**NULL, **BATCH}, events={"millrace": 10 * MILLION, "flume": MILLION},
                   peers=("millrace", "flume"), targets=(20, 25))
ROWS = [FILE_ROLL, ONE, THOUSAND, INTERCEPTED]


def verdicts(results):
    for flow in ROWS:
        for what, each in zip(("events/s", "events per CPU-second"), comparisons(flow, results.get(flow.name, {}))):
            yield Verdict(f"{flow.title}: {what}", f"≥ {each.target} × Flume", str(each), each.reached)


def details(results):
    rows = [[flow.title, peer, *figures_of(figures), figures["runs"]]
            for flow in ROWS for peer, figures in results.get(flow.name, {}).items() if peer in flow.peers]
    return "## Events a second\n\n" + table(["flow, 300-byte events", "peer", *FIGURES, "runs"], rows) + """
Files appear whole in the folder that is read: nothing writes to them meanwhile. Those of a row have as many lines each.
The bare loop (`bench/bare_files.cc`) reads them with `read` of 256 KiB and finds the line ends with `memchr`.
"""
