#!/usr/bin/env python3
"""Kills an agent at random moments, again and again, under senders that wait for acknowledgements.

usage: kill9.py [--millrace PROGRAM] [--kills N | --minutes N] [--flows N] [--seed N] [--summary FILE] [--keep]

Between two kills the agent lives from 0 to 3 seconds, so that starts and replays are hit as well. At the end
the senders settle, the agent stops in order, and verify compares what was sent with the files: an acknowledged
event that is missing fails, and so do repeats that the kills do not explain.
"""
import pathlib
import random
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness.driver import drive, options_of  # noqa: E402  (the path has to be set first)
from harness.rig import Rig  # noqa: E402


def parse():
    parser = options_of(__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--minutes", type=float, help="instead of a number of kills")
    parser.add_argument("--flows", type=int, default=10)
    parser.add_argument("--rate", type=int, default=60_000, help="events a second, all flows together")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--summary", type=pathlib.Path, help="append a line for docs/reports/crash.md")
    return parser.parse_args()


def rounds(options):
    """Numbers of the rounds, until there are enough."""
    end = time.monotonic() + options.minutes * 60 if options.minutes else None
    number = 1
    while time.monotonic() < end if end else number <= options.kills:
        yield number
        number += 1


def kill_rounds(rig, options, chance):
    """Starts and kills the agent; the last one that was started is left alive."""
    for number in rounds(options):
        agent = rig.start_agent()
        # Every fourth life is shorter than a start and its replay; the others work for a while.
        life = chance.uniform(0, 0.15) if chance.random() < 0.25 else chance.uniform(0.15, 3)
        time.sleep(life)
        if chance.random() < 0.1:  # Some are stopped before, in the middle of whatever they do, and go on.
            agent.process.send_signal(signal.SIGSTOP)
            time.sleep(0.5)
            agent.process.send_signal(signal.SIGCONT)
            time.sleep(chance.uniform(0, 0.2))
        if not agent.alive():
            rig.fail(f"the agent ended by itself in round {number}", agent)
        agent.kill()
        if number % 20 == 0:
            print(f"  {number} kills", flush=True)
    return rig.start_agent()


def run(options, folder):
    rig = Rig("kill9", options.millrace, folder, options.flows, options.rate)
    print(f"seed {options.seed}: {options.flows} flows, {options.rate} events/s", flush=True)
    with rig.start_senders() as senders:
        with kill_rounds(rig, options, random.Random(options.seed)) as agent:
            rig.settle(agent, senders)
    passed, line = rig.reckon(options)
    if options.summary:
        with open(options.summary, "a") as out:
            out.write(f"- {rig.starts - 1} times kill -9 of an agent with {options.flows} flows, {options.rate:,} events/s "
                      f"in all (netcat, file channel with two data dirs, file_roll Avro/snappy), seed {options.seed}: "
                      f"`{line}`\n")
    return passed


def main():
    options = parse()
    return drive("kill9", options, run, lambda folder: f"seed {options.seed}; the files are in {folder}")


if __name__ == "__main__":
    sys.exit(main())
