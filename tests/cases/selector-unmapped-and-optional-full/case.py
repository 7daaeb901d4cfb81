"""Multiplexing without a default, and an optional channel that is full because its sink cannot deliver: the mapped
events go where they belong, the unmapped ones nowhere, and the source runs on.

Seen in https://github.com/telefonicaid/fiware-cygnus/issues/510, https://github.com/apache/logging-flume/pull/344,
https://github.com/apache/logging-flume/pull/55. Flume 1.11 does the same, but two blanks between channel names make
its source fail; ours accepts them.
"""
import json

from harness.process import wait_until


def message(host, text):
    return f"<13>1 2026-01-05T10:22:33Z {host} {text}\n".encode()


TEN_EU = b"".join(message("eu", f"eu{number}") for number in range(10))
UNMAPPED = message("asia", "asia1") + b"<13>none1\n"
US = message("us", "us1")


def starting(case, folder, text):
    return sum(line.startswith(text) for line in case.lines(folder))


def run(case):
    case.make("a", "b")
    metrics = case.port("METRICS_PORT")
    agent = case.start("agent.conf", "-Dflume.monitoring.type=http", f"-Dflume.monitoring.port={metrics}")
    port = case.port("IN_PORT")
    case.listens("listens", agent, port)
    for data in (TEN_EU, TEN_EU, US, UNMAPPED, US):
        case.send(port, data, seconds=1)
    wait_until(lambda: len(case.lines("a")) >= 22 and len(case.lines("b")) >= 2, 20)
    case.equal("a: eu", starting(case, "a", "eu"), 20)
    case.equal("a: us", starting(case, "a", "us"), 2)
    case.equal("b", case.lines("b"), ["us1", "us1"])
    case.ok("unmapped ones are nowhere", not any(starting(case, f, t) for f in "ab" for t in ("asia", "none")))
    source = json.loads(case.get(metrics, "/metrics")[1])["SOURCE.r1"]
    case.equal("and counted", source["EventUnroutedCount"], "2")
    case.ok("ends when asked to", agent.stop(20))

    case.make("a", "b")
    agent = case.start("agent.conf", change=lambda text: text.replace("mapping.us = ca cb", "mapping.us = ca  cb"))
    case.listens("two blanks between names: the source is there", agent, port)
    case.send(port, US, seconds=1)
    wait_until(lambda: case.lines("a") and case.lines("b"), 10)
    case.equal("two blanks: both channels", case.lines("a") + case.lines("b"), ["us1", "us1"])
