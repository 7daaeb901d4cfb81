#!/usr/bin/env python3
"""The file channel under kill -9: acknowledged load, a kill every two seconds, looks into the live channel, the report.

usage: demo_channel.py [--millrace PROGRAM] [--kills N] [--rate N] [--keep]
"""
import datetime
import pathlib
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / "tests"))

from harness.driver import drive, options_of  # noqa: E402  (the path has to be set first)
from harness.process import wait_until  # noqa: E402
from harness.rig import Rig  # noqa: E402

LIFE = 2  # Seconds.


def parse():
    parser = options_of(__doc__)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--rate", type=int, default=100_000, help="events a second (default: 100,000)")
    return parser.parse_args()


def show(options, rig, *words):
    """Runs a `millrace channel` command as a user would; True when it found what it was asked for."""
    command, *arguments = words
    line = ["channel", command, "-f", "agent.conf", "-n", "a", *arguments]
    print(f"$ millrace {' '.join(line)}", flush=True)
    run = subprocess.run([options.millrace.resolve(), *line], cwd=rig.folder, capture_output=True, text=True, check=False)
    print("".join(f"    {text}\n" for text in (run.stdout + run.stderr).splitlines()), end="", flush=True)
    return run.returncode == 0


def a_moment_ago():
    """A range of put times for `channel replay`: a twentieth of a second."""
    now = datetime.datetime.now(datetime.timezone.utc)
    begin, end = (now - datetime.timedelta(milliseconds=ms) for ms in (250, 200))
    return "--from", begin.isoformat(timespec="milliseconds"), "--to", end.isoformat(timespec="milliseconds")


def kill_and_look(options, rig):
    """Kills the agent every two seconds; the last one that was started is left alive."""
    looks = True
    for number in range(1, options.kills + 1):
        agent = rig.start_agent()
        if not wait_until(rig.all_listen, 30):
            rig.fail("the agent does not listen", agent)
        begin = time.monotonic()
        if number == (options.kills + 1) // 2:
            time.sleep(LIFE / 2)
            print("In the middle of it, on the live channel:", flush=True)
            looks = show(options, rig, "show")
            looks = show(options, rig, "replay", *a_moment_ago(), "--into", "replayed.avro") and looks
        time.sleep(max(0, begin + LIFE - time.monotonic()))
        agent.kill()
        print(f"kill -9, number {number}", flush=True)
    return rig.start_agent(), looks


def run(options, folder):
    rig = Rig("demo", options.millrace, folder, flows=1, rate=options.rate)
    print(f"One sender of numbered events, {options.rate:,} a second, which waits for acknowledgements; a file channel "
          f"with two data dirs; kill -9 every {LIFE} s.", flush=True)
    with rig.start_senders() as senders:
        agent, looks = kill_and_look(options, rig)
        with agent:
            rig.settle(agent, senders)
    passed, _ = rig.reckon(options)
    return passed and looks


if __name__ == "__main__":
    sys.exit(drive("demo-channel", parse(), run))
