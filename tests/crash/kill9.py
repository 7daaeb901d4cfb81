#!/usr/bin/env python3
"""Kills an agent at random moments, again and again, under senders that wait for acknowledgements.

usage: kill9.py [--millrace PROGRAM] [--kills N | --minutes N] [--flows N] [--delivery exactly-once] [--seed N] [--summary FILE] [--keep]

Between two kills the agent lives from 0 to 3 seconds, so that starts and replays are hit as well. At the end
the senders settle, the agent stops in order, and verify compares what was sent with the files: an acknowledged
event that is missing fails, and so do repeats that the kills do not explain; with delivery exactly once, any of a sink's.
"""
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness.driver import drive  # noqa: E402  (the path has to be set first)
from harness.kills import add_summary, count_of, kill_options, kill_rounds  # noqa: E402
from harness.rig import Rig  # noqa: E402

LONGEST_LIFE = 3  # Seconds.


def parse():
    parser = kill_options(__doc__)
    parser.add_argument("--minutes", type=float, help="instead of a number of kills")
    parser.add_argument("--flows", type=int, default=10)
    parser.add_argument("--rate", type=int, default=60_000, help="events a second, all flows together")
    parser.add_argument("--delivery", choices=("at-least-once", "exactly-once"), default="at-least-once", help="of the sinks")
    return parser.parse_args()


def until(end):
    number = 0
    while time.monotonic() < end:
        number += 1
        yield number


def run(options, folder):
    rig = Rig("kill9", options.millrace, folder, options.flows, options.rate,
              values={"DELIVERY": options.delivery})
    print(f"seed {options.seed}: {options.flows} flows, {options.rate} events/s", flush=True)
    rounds = until(time.monotonic() + options.minutes * 60) if options.minutes else count_of(options)
    with rig.start_senders() as senders:
        wrong = kill_rounds(rounds, rig.start_agent, random.Random(options.seed), LONGEST_LIFE)
        if wrong:
            sys.exit(f"kill9: {wrong}")
        with rig.start_agent() as agent:
            rig.settle(agent, senders)
    passed, line = rig.reckon(options)
    add_summary(options, f"{rig.starts - 1} times kill -9 of an agent with {options.flows} flows, {options.rate:,} events/s "
                         f"in all (netcat, file channel with two data dirs, file_roll Avro/snappy {options.delivery}), seed {options.seed}: "
                         f"`{line}`")
    return passed


def main():
    options = parse()
    return drive("kill9", options, run, lambda folder: f"seed {options.seed}; the files are in {folder}")


if __name__ == "__main__":
    sys.exit(main())
