#!/usr/bin/env python3
"""Makes the golden files of a spool folder anew: what a real Flume 1.11 left when it was killed, and what it reads in Avro files.

usage: make.py    (java and mvn have to be there)
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))
sys.path.insert(0, str(HERE.parents[1] / "server"))

from flume import java_command  # noqa: E402  (the path has to be set first)
from harness.process import Program, wait_until  # noqa: E402

SPOOL = pathlib.Path("/tmp/golden-spool")  # Stands in the tracker file.
CONF = """
a.sources = r
a.channels = c
a.sinks = k
a.sources.r.type = spooldir
a.sources.r.channels = c
a.sources.r.spoolDir = {spool}
a.channels.c.type = memory
a.channels.c.capacity = 1000
a.sinks.k.type = file_roll
a.sinks.k.channel = c
a.sinks.k.sink.directory = {folder}/none
"""
LINES = 1500  # More than the channel has room for.


def stopped_within_a_file():
    """Flume reads the first 1,000 lines, as its sink has no folder to write to, and is killed."""
    shutil.rmtree(SPOOL, ignore_errors=True)
    SPOOL.mkdir()
    (SPOOL / "lines.log").write_text("".join(f"line {number} gr\u00fc\u00dfe\n" for number in range(LINES)))
    meta = SPOOL / ".flumespool" / ".flumespool-main.meta"
    with tempfile.TemporaryDirectory() as folder:
        conf = pathlib.Path(folder) / "flume.conf"
        conf.write_text(CONF.format(folder=folder, spool=SPOOL))
        with Program([*java_command(), "--no-reload-conf", "-n", "a", "-f", conf], f"{folder}/log") as flume:
            if not wait_until(meta.exists, 60):
                sys.exit(flume.log_text())
            time.sleep(5)  # The channel is full: nothing moves any more.
            flume.kill()
    shutil.copy(meta, HERE / "flume.meta")
    shutil.rmtree(SPOOL)


def avro():
    command = java_command()
    java = [*command[:command.index("-cp") + 2], HERE / "AvroGolden.java", HERE]
    subprocess.run([str(word) for word in java], check=True)


if __name__ == "__main__":
    stopped_within_a_file()
    avro()
