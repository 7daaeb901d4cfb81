#!/usr/bin/env python3
"""Kills a real Flume 1.11 at random moments and imports its file channel: no acknowledged event may be missing.

usage: flume_import.py [--millrace PROGRAM] [--seed N] [--keep]

What `millrace channel import` brings over is compared with what Flume acknowledged and delivered, and with what Flume
itself makes of a copy of the same folders: the same events. Also without the checkpoint, with damage
in a log, twice, and cut short by a kill.
"""
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from flume import FILE_SINK, SILENT_SINK, Flume, Sender  # noqa: E402  (the path has to be set first)
from harness.driver import drive, options_of  # noqa: E402
from harness.process import Program, wait_until  # noqa: E402

START = 60  # Seconds that a JVM on a busy machine may take.
AGENT = """
a.channels = c
a.sinks = k
a.channels.c.type = file
a.channels.c.checkpointDir = {folder}/checkpoint
a.channels.c.dataDirs = {folder}/data
a.channels.c.capacity = {capacity}
a.channels.c.transactionCapacity = {transaction}
a.channels.c.minimumRequiredSpace = 1048576
a.sinks.k.channel = c
a.sinks.k.type = file_roll
a.sinks.k.sink.directory = {folder}/out
a.sinks.k.sink.rollInterval = 0
a.sinks.k.sink.serializer = HEADER_AND_TEXT
"""


def hold(true, message):
    if not true:
        raise SystemExit(f"flume_import: {message}")


class Target:
    """One of our channels, in a folder of its own."""

    def __init__(self, options, folder, capacity=100_000):
        self.millrace = options.millrace
        self.folder = folder
        (folder / "out").mkdir(parents=True)
        self.conf = folder / "agent.conf"
        self.conf.write_text(AGENT.format(folder=folder, capacity=capacity, transaction=min(capacity, 100)))

    def command(self, flume, *more):
        return [self.millrace, "channel", "import", *more, "--config", self.conf, "-n", "a",
                "--from-flume", flume.checkpoint_dir, *flume.data_dirs]

    def take_in(self, flume, *more, status=0):
        """Imports; the counts of the result line. `messages` are what it said."""
        run = subprocess.run([str(word) for word in self.command(flume, *more)], capture_output=True, text=True, check=False)
        self.messages = run.stderr
        hold(run.returncode == status, f"the import ended with {run.returncode}, not {status}:\n{run.stdout}{run.stderr}")
        counts = {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", run.stdout)}
        if counts:
            parts = sum(counts[key] for key in ("imported", "taken", "uncommitted", "removed", "damaged"))
            hold(counts["found"] == parts, f"found is not the sum of the rest: {run.stdout}")
        return counts

    def events(self, count):
        """What an agent delivers out of the channel, in order."""
        with Program([self.millrace, "agent", "-n", "a", "-f", self.conf], self.folder / "agent.log") as agent:
            lines = []

            def all_there():
                lines[:] = [line for path in sorted((self.folder / "out").iterdir()) for line in path.read_text().splitlines()]
                return len(lines) >= count

            hold(wait_until(all_there, 30), f"{len(lines)} of {count} events came out: {agent.log_text()[-3000:]}")
            agent.stop()
        return lines


class Round:
    """A Flume that was fed and killed."""

    def __init__(self, options, folder, chance, **kind):
        self.options = options
        self.folder = folder
        self.chance = chance
        self.flume = Flume(folder, **kind)
        self.senders = []

    def live(self, least, most, kill=True):
        """Feeds the Flume for a random time, then kills it, or stops it in order."""
        senders = [Sender(self.flume.port, f"s{len(self.senders) + n}") for n in range(2)]
        with self.flume.start() as process:
            hold(process.wait_port(self.flume.port, START), f"Flume did not start: {process.log_text()[-3000:]}")
            for sender in senders:
                sender.start()
            seconds = self.chance.uniform(least, most)
            time.sleep(seconds)
            if kill:
                process.kill()
            else:
                process.stop()
        for sender in senders:
            sender.join(10)
        self.senders += senders
        print(f"  Flume lived {seconds:.2f} s, acknowledged {len(self.acknowledged())} events in all", flush=True)

    def acknowledged(self):
        return {f"{{origin=flume}} {s.event(n)}" for s in self.senders for n in range(s.acknowledged)}

    def sent(self):
        return {f"{{origin=flume}} {s.event(n)}" for s in self.senders for n in range(s.sent)}

    def copy(self, name, **kind):
        """Another Flume over a copy of the folders; they keep their names."""
        other = Flume(self.folder.parent / name, dirs=len(self.flume.data_dirs), **kind)
        for theirs, ours in zip([self.flume.checkpoint_dir, *self.flume.data_dirs], [other.checkpoint_dir, *other.data_dirs]):
            shutil.copytree(theirs, ours)
        return other

    def check(self, events, delivered=()):
        """`events` came out of our channel; `delivered` had come out of Flume's."""
        delivered = set(delivered)
        missing = self.acknowledged() - delivered - set(events)
        hold(not missing, f"{len(missing)} acknowledged events are lost, as {sorted(missing)[:3]}")
        hold(set(events) <= self.sent(), "an event came that nobody sent")
        hold(len(events) == len(set(events)), "an event came twice")
        for sender in self.senders:
            own = [event for event in events if f" {sender.name_of_events}-" in event]
            hold(own == sorted(own), f"the events of sender {sender.name_of_events} are out of order")
        # A sink's transaction that the kill cut off comes again: at most its batch of 100.
        hold(len(delivered & set(events)) <= 100, f"{len(delivered & set(events))} delivered events came again")

    def flumes_own(self, count):
        """What Flume itself delivers out of a copy of the folders."""
        other = self.copy(self.folder.name + "-flume", sink=FILE_SINK)
        with other.start() as process:
            hold(wait_until(lambda: len(other.delivered()) >= count, START), f"Flume: {process.log_text()[-3000:]}")
        return other.delivered()


def silent_sink(options, folder, chance):
    """Takes under way, roll backs, checkpoints between them, two data dirs."""
    print("a sink that takes and never commits", flush=True)
    this = Round(options, folder / "silent", chance, dirs=2, sink=SILENT_SINK)
    this.live(3, 5)
    target = Target(options, folder / "silent-target")
    counts = target.take_in(this.flume)
    hit = "from Flume's checkpoint on", "it was being written", "it belongs to another checkpoint"
    hold(any(words in target.messages for words in hit), f"the checkpoint was not used: {target.messages}")
    events = target.events(counts["imported"])
    this.check(events)
    hold(len(events) == counts["imported"] and counts["damaged"] == 0, f"{len(events)} events, {counts}")
    hold(sorted(this.flumes_own(len(events))) == sorted(events), "Flume's own replay has other events")
    without_checkpoint(options, folder, this, events)
    damaged(options, folder, this, events)
    cut_short(options, folder, this, events)
    refusals(options, folder, this, target)


def without_checkpoint(options, folder, this, events):
    print("without the checkpoint", flush=True)
    other = this.copy("no-checkpoint")
    shutil.rmtree(other.checkpoint_dir)
    other.checkpoint_dir.mkdir()
    target = Target(options, folder / "no-checkpoint-target")
    counts = target.take_in(other)
    hold("not used" in target.messages, f"a checkpoint was used: {target.messages}")
    replayed = target.events(counts["imported"])
    this.check(replayed)
    hold(sorted(replayed) == sorted(events), "without the checkpoint other events come")
    hold(counts["taken"] == 0 and counts["found"] == len(events) + counts["uncommitted"], f"{counts}")


def damaged(options, folder, this, events):
    print("with damage in a log", flush=True)
    other = this.copy("damaged")
    log = max((path for path in other.data_dirs[0].glob("log-*") if path.suffix == ""), key=lambda path: path.read_bytes().count(b"s0-"))
    contents = bytearray(log.read_bytes())
    at = contents.index(b"s0-0000") if b"s0-0000" in contents else contents.index(b"s1-0000")
    lost = contents[at:at + 9].decode()
    contents[at] ^= 0xFF
    log.write_bytes(contents)
    target = Target(options, folder / "damaged-target")
    counts = target.take_in(other, status=1)
    hold(counts["damaged"] == 1 and str(log) in target.messages, f"{counts}: {target.messages}")
    rest = target.events(counts["imported"])
    hold(rest == [event for event in events if not event.endswith(lost)], "more than the damaged event is missing")


def refusals(options, folder, this, target):
    print("a second time, too small, in use", flush=True)
    target.take_in(this.flume, status=1)
    hold("--again" in target.messages, f"the second import is not noticed: {target.messages}")
    copied = this.copy("elsewhere")
    target.take_in(copied, status=1)
    hold("--again" in target.messages, f"the second import, from a copy, is not noticed: {target.messages}")
    small = Target(options, folder / "small-target", capacity=10)
    small.take_in(this.flume, status=1)
    hold("capacity" in small.messages and not (folder / "small-target/checkpoint/flume-import-1").exists(), small.messages)
    with this.flume.start() as process:
        hold(process.wait_port(this.flume.port, START), f"Flume did not start: {process.log_text()[-3000:]}")
        fresh = Target(options, folder / "running-target")
        fresh.take_in(this.flume, status=1)
        hold(f"in use by process {process.pid}" in fresh.messages, f"a running Flume is not noticed: {fresh.messages}")


def cut_short(options, folder, this, events):
    """Killed at a random moment, and again, then run to its end: every event once."""
    print("an import that is killed", flush=True)
    target = Target(options, folder / "cut-target")
    copied = this.copy("cut")
    for _ in range(4):
        with Program(target.command(copied), folder / "cut.log") as program:
            wait_until(lambda: not program.alive(), this.chance.uniform(0, 0.15), pause=0.001)
    done = (folder / "cut-target/checkpoint/flume-import-1")
    if not (done.exists() and "state complete" in done.read_text()):
        target.take_in(copied)
    hold(target.events(len(events)) == events, "a killed import lost or doubled events")


def draining_sink(options, folder, chance):
    """Takes that commit, a checkpoint behind them, a Flume that is killed again in its start."""
    print("a sink that delivers", flush=True)
    this = Round(options, folder / "drain", chance, sink=FILE_SINK, max_file_size=40_000)
    this.live(1.2, 3)
    this.live(0, 0.6)
    compare(options, folder, this, "drain")


def orderly_stop(options, folder, chance):
    print("a Flume that stopped in order", flush=True)
    this = Round(options, folder / "stopped", chance, sink=SILENT_SINK)
    this.live(0.5, 1, kill=False)
    compare(options, folder, this, "stopped")


def compare(options, folder, this, name):
    delivered = this.flume.delivered()
    target = Target(options, folder / f"{name}-target")
    counts = target.take_in(this.flume)
    events = target.events(counts["imported"])
    hold(len(events) == counts["imported"] and counts["damaged"] == 0, f"{len(events)} events, {counts}")
    this.check(events, delivered)
    # Flume puts takes that were under way back in no order.
    hold(sorted(this.flumes_own(len(events))) == sorted(events), "Flume's own replay has other events")
    print(f"  {counts}, {len(delivered)} delivered before", flush=True)


def run(options, folder):
    print(f"seed {options.seed}", flush=True)
    chance = random.Random(options.seed)
    silent_sink(options, folder, chance)
    draining_sink(options, folder, chance)
    orderly_stop(options, folder, chance)
    return True


def main():
    parser = options_of(__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    return drive("flume-import", options, run, lambda folder: f"seed {options.seed}; the files are in {folder}")


if __name__ == "__main__":
    sys.exit(main())
