"""A real Flume 1.11 for tests: started, fed with numbered events, killed."""
import pathlib
import socket
import subprocess
import threading

from harness.driver import TOP
from harness.process import Program, free_port

CONF = """
a.sources = r
a.channels = c
a.sinks = k
a.sources.r.type = netcat
a.sources.r.bind = 127.0.0.1
a.sources.r.port = {port}
a.sources.r.channels = c
a.sources.r.interceptors = i
a.sources.r.interceptors.i.type = static
a.sources.r.interceptors.i.key = origin
a.sources.r.interceptors.i.value = flume
a.channels.c.type = file
a.channels.c.checkpointDir = {folder}/checkpoint
a.channels.c.dataDirs = {dirs}
a.channels.c.capacity = {capacity}
a.channels.c.transactionCapacity = 100
a.channels.c.checkpointInterval = 1000
a.channels.c.maxFileSize = {max_file_size}
a.channels.c.minimumRequiredSpace = 1048576
a.sinks.k.channel = c
{sink}
"""
# Its peer accepts the connection and never answers: ten events are taken, and come back when its patience ends.
SILENT_SINK = """a.sinks.k.type = thrift
a.sinks.k.hostname = 127.0.0.1
a.sinks.k.port = {sink_port}
a.sinks.k.connect-timeout = 1000
a.sinks.k.request-timeout = 1500
a.sinks.k.batch-size = 10
"""
FILE_SINK = """a.sinks.k.type = file_roll
a.sinks.k.sink.directory = {folder}/delivered
a.sinks.k.sink.rollInterval = 0
a.sinks.k.sink.serializer = header_and_text
"""


def java_command():
    """A JVM with Flume on its class path, quick to start."""
    classpath = subprocess.run([TOP / "services/services", "classpath", "flume"], capture_output=True, text=True, check=True)
    return ["java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
            f"{TOP / 'bench' / 'conf'}:{classpath.stdout.strip()}", "org.apache.flume.node.Application"]


class Flume:
    """One channel of one agent in a folder; what it acknowledged, and what its sink wrote."""

    def __init__(self, folder, dirs=1, sink=FILE_SINK, max_file_size=1 << 30, capacity=100_000):
        self.folder = pathlib.Path(folder)
        self.port = free_port()
        self.data_dirs = [self.folder / f"data{n}" for n in range(1, dirs + 1)]
        self.checkpoint_dir = self.folder / "checkpoint"
        (self.folder / "delivered").mkdir(parents=True, exist_ok=True)
        self.silence = socket.create_server(("127.0.0.1", 0))
        values = {"folder": self.folder, "sink_port": self.silence.getsockname()[1]}
        self.conf = self.folder / "flume.conf"
        self.conf.write_text(CONF.format(
            folder=self.folder, port=self.port, dirs=",".join(map(str, self.data_dirs)), max_file_size=max_file_size,
            capacity=capacity, sink=sink.format(**values)))

    def start(self):
        return Program([*java_command(), "--no-reload-conf", "-n", "a", "-f", self.conf], self.folder / "flume.log")

    def delivered(self):
        """Events in the files of its sink, in order."""
        files = sorted((self.folder / "delivered").iterdir(), key=lambda path: path.stat().st_mtime_ns)
        return [line for path in files for line in path.read_text().splitlines()]


class Sender(threading.Thread):
    """Sends numbered events to a netcat source, each after the answer to the one before, until the source is gone."""

    def __init__(self, port, name, count=1 << 30):
        super().__init__(daemon=True)
        self.port = port
        self.name_of_events = name
        self.count = count
        self.sent = 0
        self.acknowledged = 0

    def event(self, number):
        return f"{self.name_of_events}-{number:06}"

    def run(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
                answers = connection.makefile("r")
                while self.sent < self.count:
                    self.sent += 1
                    connection.sendall(f"{self.event(self.sent - 1)}\n".encode())
                    if answers.readline() != "OK\n":
                        return
                    self.acknowledged += 1
        except OSError:
            pass
