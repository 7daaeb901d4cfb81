#!/usr/bin/env python3
"""Kills an agent at random moments while it tails files that grow and are renamed, in front of a file channel.

usage: kill9_tail.py [--millrace PROGRAM] [--kills N] [--seed N] [--keep]

Numbered lines are appended to three logs, one of which is renamed away every second. At the end every line has to be in the
sinks' files; a line that is there again is explained by what the source had read since it last wrote its positions.
"""
import collections
import pathlib
import random
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness.driver import drive, options_of  # noqa: E402  (the path has to be set first)
from harness.process import Program, wait_until  # noqa: E402

LOGS = 3
RATE = 3000  # Lines a second, of each log.
WRITE_EVERY = 0.2  # Seconds between two writes of the positions.
LONGEST_LIFE = 1.5  # Seconds.

CONFIGURATION = """
a.sources = r
a.channels = c
a.sinks = k
a.sources.r.type = TAILDIR
a.sources.r.channels = c
a.sources.r.filegroups = g
a.sources.r.filegroups.g = {folder}/logs/log[0-9]
a.sources.r.positionFile = {folder}/state/positions.json
a.sources.r.writePosInterval = {interval}
a.channels.c.type = file
a.channels.c.checkpointDir = {folder}/channel/checkpoint
a.channels.c.dataDirs = {folder}/channel/data
a.channels.c.minimumRequiredSpace = 1048576
a.sinks.k.type = file_roll
a.sinks.k.channel = c
a.sinks.k.sink.directory = {folder}/out
a.sinks.k.sink.rollInterval = 2
"""


class Writer(threading.Thread):
    """Appends numbered lines to one log until it is told to end; now and then it goes on in a new file."""

    def __init__(self, folder, number):
        super().__init__(daemon=True)
        self.folder, self.number = folder, number
        self.lines = 0
        self.ends = threading.Event()

    def run(self):
        path, files = self.folder / f"log{self.number}", 0
        log = path.open("a")
        renamed = time.monotonic()
        while not self.ends.wait(0.01):
            for _ in range(RATE // 100):
                log.write(f"{self.number} {self.lines} {'x' * 80}\n")
                self.lines += 1
            log.flush()
            if self.number == 0 and time.monotonic() - renamed > 1:
                files += 1
                path.rename(self.folder / f"old{files}")  # A name that is not tailed.
                log.close()
                log, renamed = path.open("a"), time.monotonic()
        log.close()


def lines_of(folder):
    """How often each line, by its log and number, is in the sinks' files."""
    counts = collections.Counter()
    for path in folder.iterdir():
        for line in path.read_text().splitlines():
            log, number = line.split(" ")[:2]
            counts[int(log), int(number)] += 1
    return counts


def run(options, folder):
    for name in ("logs", "out"):
        (folder / name).mkdir()
    conf = folder / "agent.conf"
    conf.write_text(CONFIGURATION.format(folder=folder, interval=int(WRITE_EVERY * 1000)))
    chance = random.Random(options.seed)
    writers = [Writer(folder / "logs", number) for number in range(LOGS)]
    for writer in writers:
        writer.start()

    def start():
        return Program([options.millrace, "agent", "-n", "a", "-f", conf], folder / "agent.log")

    for _ in range(options.kills):
        with start() as agent:
            time.sleep(chance.uniform(0, LONGEST_LIFE))
            if not agent.alive():
                print(f"the agent ended by itself:\n{agent.log_text()[-2000:]}")
                return False
    for writer in writers:
        writer.ends.set()
        writer.join()
    wanted = {(writer.number, line) for writer in writers for line in range(writer.lines)}
    with start() as agent:
        wait_until(lambda: wanted <= lines_of(folder / "out").keys(), 60, 0.5)
        stopped = agent.stop(30)
    counts = lines_of(folder / "out")
    lost = len(wanted - counts.keys())
    again = sum(counts.values()) - len(counts)
    # Each kill repeats what was read since the last write, and what the sink had written and the channel had not noted. A
    # second's lines are five times as much as comes between two writes.
    print(f"{options.kills} kills: {len(wanted)} lines, {lost} lost, {again} again, {again / max(options.kills, 1):.0f} a kill")
    return stopped and lost == 0 and counts.keys() <= wanted and again <= options.kills * LOGS * RATE


def main():
    parser = options_of(__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    return drive("kill9-tail", options, run, lambda folder: f"seed {options.seed}; the files are in {folder}")


if __name__ == "__main__":
    sys.exit(main())
