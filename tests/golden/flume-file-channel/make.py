#!/usr/bin/env python3
"""Makes killed/ anew: the folders of a real Flume 1.11 that was killed, and what was in its channel.

usage: make.py    (java and mvn have to be there)
"""
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))
sys.path.insert(0, str(HERE.parents[1] / "server"))

from flume import SILENT_SINK, Flume, Sender  # noqa: E402  (the path has to be set first)
from harness.process import wait_until  # noqa: E402

EMPTY_INFLIGHT = 32
FILL_KEPT = 256  # Of the 1 MiB that Flume writes ahead.


def cut_fill(path):
    contents = path.read_bytes()
    written = contents.rstrip(b"\x80")
    path.write_bytes(contents[:len(written) + FILL_KEPT])


def send(flume, name, count):
    sender = Sender(flume.port, name, count)
    sender.start()
    sender.join(30)
    if sender.acknowledged != count:
        sys.exit(f"only {sender.acknowledged} of {count} events were acknowledged")
    return [f"{sender.event(number)}\n" for number in range(count)]


def main():
    to = HERE / "killed"
    shutil.rmtree(to, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        flume = Flume(folder, dirs=2, sink=SILENT_SINK, capacity=100)
        with flume.start() as process:
            if not process.wait_port(flume.port, 60):
                sys.exit(process.log_text())
            expected = send(flume, "before", 30)
            inflight = flume.checkpoint_dir / "inflighttakes"
            if not wait_until(lambda: inflight.stat().st_size == EMPTY_INFLIGHT + 16 + 10 * 8, 60):
                sys.exit("no checkpoint was made while the sink had events in its hands")
            expected += send(flume, "after", 5)
        for part in [flume.checkpoint_dir, *flume.data_dirs]:
            shutil.copytree(part, to / part.name, ignore=shutil.ignore_patterns("queueset", "in_use.lock"))
    for log in to.glob("data*/log-*"):
        if log.suffix == "":
            cut_fill(log)
    (to / "expected.txt").write_text("".join(expected))


if __name__ == "__main__":
    main()
