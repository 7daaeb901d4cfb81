"""Configurations made of parts: a flow of dicts, written out as Flume's properties."""
import dataclasses

from scenarios import Scenario

MEMORY = "memory channel"  # The same flow over that one, as a peer.
LIMITS = {"capacity": 1_000_000, "transactionCapacity": 10_000}
SYSLOG = {"type": "syslogtcp", "host": "127.0.0.1", "port": "@PORT@"}
NETCAT = {"type": "netcat", "bind": "127.0.0.1", "port": "@PORT@"}
EXEC = {"type": "exec", "shell": "/bin/sh -c", "command": "@COMMAND@", "batchSize": 10_000}
NULL = {"type": "null", "batchSize": 10_000}
AVRO = {"type": "file_roll", "sink.directory": "@DIR@/out", "sink.rollInterval": 0, "sink.batchSize": 10_000,
        "sink.serializer": "avro_event", "sink.serializer.compressionCodec": "snappy"}


def file_channel(dirs=1, **more):
    folders = ",".join(f"@DIR@/data{n}" for n in range(dirs))
    return {"type": "file", "checkpointDir": "@DIR@/checkpoint", "dataDirs": folders, **LIMITS, **more}


def memory_channel(**more):
    return {"type": "memory", **LIMITS, **more}


def properties(sources, channel, sinks):
    """The text of an agent `a`: every source puts into the channel, every sink takes from it."""
    lines = ["a.channels = c", *(f"a.channels.c.{key} = {value}" for key, value in channel.items())]
    for kind, letter, tie, parts in (("sources", "r", "channels", sources), ("sinks", "k", "channel", sinks)):
        lines.append(f"a.{kind} = " + " ".join(f"{letter}{n}" for n in range(len(parts))))
        for n, part in enumerate(parts):
            lines += [f"a.{kind}.{letter}{n}.{key} = {value}" for key, value in {**part, tie: "c"}.items()]
    return "\n".join(lines) + "\n"


@dataclasses.dataclass(frozen=True)
class Flow(Scenario):
    """A scenario whose configuration is made of parts."""
    conf: str = ""
    load: str = "exec"
    events: dict = None
    source: dict = None
    channel: dict = None
    sink: dict = None
    sinks: int = 1

    def template(self, peer):
        channel = memory_channel() if peer == MEMORY else self.channel
        return properties([self.source] * self.sources, channel, [self.sink] * self.sinks)
