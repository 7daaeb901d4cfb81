"""preserveExisting defaults differ between interceptors (static keeps, host and timestamp replace), and can be turned.

Seen in https://github.com/apache/logging-flume/pull/87. Flume 1.11 does the same.
"""
import re

MESSAGE = b"<13>1 2001-09-09T01:46:40Z origin x\n"  # Its own headers: host=origin, timestamp=1000000000000.


def run(case):
    case.make("defaults", "turned")
    agent = case.start("agent.conf")
    got = {}
    for folder, port in (("defaults", case.port("DEFAULTS_PORT")), ("turned", case.port("TURNED_PORT"))):
        case.listens(f"{folder}: listens", agent, port)
        case.send(port, MESSAGE, seconds=1)
        case.wait_lines(folder, 1)
        got[folder] = (case.events(folder) or [({}, "")])[0][0]
    headers = got["defaults"]
    case.equal("defaults: site kept", headers.get("site"), "A")
    case.ok("defaults: host replaced by an address", re.fullmatch(r"[0-9a-f.:]+", headers.get("host", "")))
    case.ok("defaults: no hostname", "hostname" not in headers)
    case.ok("defaults: timestamp is now", int(headers.get("timestamp", 0)) > 1_700_000_000_000)
    headers = got["turned"]
    case.equal("turned: site replaced", headers.get("site"), "B")
    case.equal("turned: host kept", headers.get("host"), "origin")
    case.ok("turned: hostname set", headers.get("hostname"))
    case.equal("turned: timestamp kept", headers.get("timestamp"), "1000000000000")
