#!/usr/bin/env python3
"""Sends numbered events through agents into a real HDFS while the agent, the NameNode or a DataNode is killed.

usage: hdfs_sink.py [--millrace PROGRAM] [--kills N] [--seed N] [--keep] [SCENARIO...]

The files are read back by Hadoop's own client. No acknowledged event may be missing, what is repeated has to be explained
by the kills of the agent, with exactly-once nothing is repeated, and in the end no file is in use.
"""
import os
import pathlib
import random
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness.driver import drive  # noqa: E402
from harness.kills import count_of, kill_options, kill_rounds  # noqa: E402
from harness.process import Program, wait_until  # noqa: E402
from harness.rig import Rig  # noqa: E402
from server.hdfs import Hdfs  # noqa: E402

FLOW = pathlib.Path(__file__).resolve().parent / "hdfs_flow.conf.in"
FLOWS = 3
RATE = 20_000  # Events a second, all flows together.
LONGEST_LIFE = 3  # Seconds.


class Flows:
    """Flows into a folder of HDFS of their own."""

    def __init__(self, options, hdfs, folder, name, delivery="at-least-once", serializer="TEXT"):
        self.options = options
        self.hdfs = hdfs
        self.path = f"/{name}"
        folder = folder / name
        folder.mkdir()
        self.rig = Rig(f"hdfs-sink {name}", options.millrace, folder, FLOWS, RATE, FLOW,
                       {"URL": f"hdfs://127.0.0.1:{hdfs.port}{self.path}", "DELIVERY": delivery,
                        "SERIALIZER": serializer})

    def names(self):
        listing = self.hdfs.command("dfs", "-ls", "-R", self.path).communicate()[0].decode()
        return re.findall(r"^-.*?(/\S+)$", listing, re.M)

    def in_use(self):
        return [name for name in self.names() if name.endswith(".tmp")]

    def settle_files(self):
        """Files that a killed agent left are finished by the next, once their leases are recovered."""
        def finished():
            with self.rig.start_agent() as agent:
                wait_until(self.rig.all_listen, 60)
                done = wait_until(lambda: not self.in_use(), 30, 2)
                agent.stop(60)
                return done
        return wait_until(finished, 120)

    def reckon(self, most_repeats):
        """Whether nothing is lost, and repeated by the sinks what is explained."""
        settled = self.settle_files()
        print(f"    {len(self.names())} files" + ("" if settled else f", in use: {self.in_use()}"))
        out = self.rig.folder / "out"
        self.hdfs.command("dfs", "-get", self.path, str(out / "hdfs")).wait()
        passed, line = self.rig.reckon(self.options)
        repeats = int(re.search(r"(\d+) by sinks", line).group(1))
        return passed and settled and (most_repeats is None or repeats <= most_repeats)


def killed(options, hdfs, folder, delivery, serializer, most_repeats):
    flows = Flows(options, hdfs, folder, delivery, delivery, serializer)
    rig = flows.rig
    with rig.start_senders() as senders:
        wrong = kill_rounds(count_of(options), rig.start_agent, random.Random(options.seed), LONGEST_LIFE)
        if wrong:
            print(wrong)
            return False
        with rig.start_agent() as agent:
            rig.settle(agent, senders)
    return flows.reckon(most_repeats)


def agent_killed(options, hdfs, folder):
    """The agent is killed again and again: nothing is lost."""
    return killed(options, hdfs, folder, "at-least-once", "AVRO_EVENT", None)


def agent_killed_exactly_once(options, hdfs, folder):
    """Likewise, and with hdfs.delivery = exactly-once nothing is repeated."""
    return killed(options, hdfs, folder, "exactly-once", "TEXT", 0)


def under(options, hdfs, folder, name, trouble):
    """Runs trouble() under a flow; what came before and behind it is all there, once."""
    flows = Flows(options, hdfs, folder, name)
    rig = flows.rig
    with rig.start_agent() as agent:
        if not wait_until(rig.all_listen, 60):
            rig.fail("the agent does not listen", agent)
        with rig.start_senders() as senders:
            time.sleep(3)
            trouble()
            time.sleep(5)
            rig.settle(agent, senders)
    return flows.reckon(0)


def name_node_restarted(options, hdfs, folder):
    """The NameNode is killed and started under load: nothing is lost or repeated."""
    def trouble():
        hdfs.kill("nn")
        time.sleep(3)
        hdfs.start()
    return under(options, hdfs, folder, "name-node", trouble)


def data_node_killed(options, hdfs, folder):
    """A DataNode is killed under load: likewise."""
    def trouble():
        hdfs.kill("dn2")
        time.sleep(5)
        hdfs.start()
    return under(options, hdfs, folder, "data-node", trouble)


# What Hadoop's own `dfs -text` shows a line of for each event, by the keys of the sink.
KINDS = {"text": ["fileType = DataStream"],
         "gzip": ["fileType = CompressedStream", "codeC = gzip"],
         "bzip2": ["fileType = CompressedStream", "codeC = bzip2"],
         "records": ["fileType = SequenceFile", "writeFormat = Text"],
         "blocks": ["fileType = SequenceFile", "writeFormat = Text", "codeC = gzip"]}
EVENTS = 20_000


def kinds_of_files(options, hdfs, folder):
    """Files of each kind are read by Hadoop's own tool: each event, once."""
    folder = folder / "kinds"
    folder.mkdir()
    lines = [f"a.{list} = {' '.join(KINDS)}" for list in ("sources", "channels", "sinks")]
    for kind, keys in KINDS.items():
        lines += [f"a.sources.{kind}.type = seq", f"a.sources.{kind}.totalEvents = {EVENTS}",
                  f"a.sources.{kind}.channels = {kind}", f"a.channels.{kind}.type = memory",
                  f"a.channels.{kind}.capacity = 100000", f"a.channels.{kind}.transactionCapacity = 1000",
                  f"a.sinks.{kind}.type = hdfs", f"a.sinks.{kind}.channel = {kind}",
                  f"a.sinks.{kind}.hdfs.path = hdfs://127.0.0.1:{hdfs.port}/kinds/{kind}",
                  f"a.sinks.{kind}.hdfs.stateDir = {folder}/state", f"a.sinks.{kind}.hdfs.rollCount = 7000",
                  f"a.sinks.{kind}.hdfs.rollSize = 0", f"a.sinks.{kind}.hdfs.batchSize = 500"]
        lines += [f"a.sinks.{kind}.hdfs.{key}" for key in keys]
    conf = folder / "agent.conf"
    conf.write_text("\n".join(lines) + "\n")
    passed = True
    with Program([options.millrace, "agent", "-n", "a", "-f", conf], folder / "agent.log") as agent:
        time.sleep(5)
        passed &= agent.stop(60)
    for kind in KINDS:
        text = hdfs.command("dfs", "-text", f"/kinds/{kind}/*").communicate()[0].decode()
        bodies = [int(line.split("\t")[-1]) for line in text.splitlines()]
        names = hdfs.command("dfs", "-ls", f"/kinds/{kind}").communicate()[0].decode()
        print(f"    {kind}: {len(bodies)} events in {names.count('FlumeData')} files")
        passed &= sorted(bodies) == list(range(EVENTS)) and ".tmp" not in names
    return passed


SCENARIOS = (kinds_of_files, name_node_restarted, data_node_killed, agent_killed, agent_killed_exactly_once)


def run(options, folder):
    passed = True
    settings = "dfs.client.socket-timeout=4000 dfs.client.block.write.replace-datanode-on-failure.best-effort=true"
    with Hdfs(folder / "cluster", settings=settings) as hdfs:
        os.environ["HADOOP_CONF_DIR"] = str(hdfs.folder / "data/hdfs3/conf")
        os.environ["HADOOP_USER_NAME"] = "root"
        for scenario in SCENARIOS:
            if options.scenarios and scenario.__name__ not in options.scenarios:
                continue
            begin = time.monotonic()
            print(f"{scenario.__name__}: {scenario.__doc__}", flush=True)
            done = bool(scenario(options, hdfs, folder))
            print(f"  {'ok' if done else 'FAILED'}, {time.monotonic() - begin:.0f} s", flush=True)
            passed &= done
            hdfs.start()
    return passed


def main():
    parser = kill_options(__doc__)
    parser.add_argument("scenarios", nargs="*")
    options = parser.parse_args()
    return drive("hdfs-sink", options, run, lambda folder: f"seed {options.seed}; the files are in {folder}")


if __name__ == "__main__":
    sys.exit(main())
