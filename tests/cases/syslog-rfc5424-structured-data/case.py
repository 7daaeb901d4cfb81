"""RFC 5424 with escaped quotes and brackets in structured data, a BOM, fractions and zones: nothing lost, times right.

Seen in https://github.com/elastic/beats/issues/43944, https://github.com/elastic/beats/issues/40445,
https://github.com/vectordotdev/vector/issues/9824, https://github.com/rsyslog/rsyslog/issues/284.
Flume 1.11 ignores the zone offset when the time has a fraction (line 2); ours is right.
"""

WANT = [  # host, facility/severity, timestamp (UTC, ms)
    ("db-7.example.net", "20/5", "1767608553003"),
    ("web.example.net", "1/6", "1767588753500"),
    ("gw.example.net", "4/2", "1767621153000"),
    ("gw.example.net", "16/6", "1767608553000"),
]


def run(case):
    case.make("sink")
    agent = case.start("agent.conf")
    case.listens("listens", agent, case.port("IN_PORT"))
    case.send(case.port("IN_PORT"), (case.folder / "lines.txt").read_bytes(), seconds=2)
    case.wait_lines("sink", len(WANT))
    events = case.events("sink")
    case.equal("events", len(events), len(WANT))
    bodies = (case.folder / "bodies.txt").read_text().splitlines()
    for number, ((headers, body), want, text) in enumerate(zip(events, WANT, bodies), 1):
        got = (headers.get("host"), f"{headers.get('Facility')}/{headers.get('Severity')}", headers.get("timestamp"))
        case.equal(f"line {number}: host, facility/severity, time", got, want)
        case.equal(f"line {number}: body", body, text)
