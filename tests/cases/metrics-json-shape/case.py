"""Flume's JSON metrics: every component from the start, every value a text, numbers that read as numbers.

Seen in https://github.com/mackerelio/mackerel-agent-plugins/pull/396,
https://github.com/woozhijun/flume_exporter/issues/9, https://github.com/OpenTSDB/tcollector/pull/152.
Flume 1.11 does the same.
"""
import json
import time

from harness.process import wait_until

THREE = b"".join(b"<13>1 2026-01-05T10:22:33Z h1 %d\n" % number for number in (1, 2, 3))


def run(case):
    case.make("sink")
    metrics = case.port("METRICS_PORT")
    began = time.time()
    agent = case.start("agent.conf", "-Dflume.monitoring.type=http", f"-Dflume.monitoring.port={metrics}")
    case.listens("the source listens", agent, case.port("IN_PORT"))
    case.listens("metrics listen", agent, metrics)

    def read():
        status, body = case.get(metrics, "/metrics")
        return json.loads(body) if status == 200 else {}

    def figures(found):
        wanted = (("SOURCE.r1", "EventAcceptedCount"), ("CHANNEL.c1", "EventPutSuccessCount"),
                  ("CHANNEL.c1", "EventTakeSuccessCount"), ("SINK.k1", "EventDrainSuccessCount"))
        return [found.get(part, {}).get(name) for part, name in wanted]

    before = read()
    case.ok("components at once", {"SOURCE.r1", "CHANNEL.c1", "SINK.k1"} <= set(before))
    case.ok("every value is a text", all(isinstance(v, str) for part in before.values() for v in part.values()))
    case.equal("zero before", figures(before), ["0"] * 4)
    case.equal("channel size and capacity", [before.get("CHANNEL.c1", {}).get(name) for name in ("ChannelSize", "ChannelCapacity")],
               ["0", "10000"])
    case.equal("received before", before.get("SOURCE.r1", {}).get("EventReceivedCount"), "0")
    case.equal("types", [before.get(part, {}).get("Type") for part in ("SOURCE.r1", "CHANNEL.c1", "SINK.k1")],
               ["SOURCE", "CHANNEL", "SINK"])
    parts = [before.get(part, {}) for part in ("SOURCE.r1", "CHANNEL.c1", "SINK.k1")]
    case.ok("started between our start of it and now, in ms",
            all(began * 1000 - 1 <= int(part.get("StartTime", 0)) <= time.time() * 1000 for part in parts))
    case.equal("not stopped", [part.get("StopTime") for part in parts], ["0"] * 3)
    case.send(case.port("IN_PORT"), THREE, seconds=1)
    wait_until(lambda: figures(read()) == ["3"] * 4, 10)
    after = read()
    case.equal("three after", figures(after), ["3"] * 4)
    case.equal("fill reads as a number", float(after.get("CHANNEL.c1", {}).get("ChannelFillPercentage", "nan")), 0.0)
    case.equal("another path", case.get(metrics, "/nothing")[0], 404)
