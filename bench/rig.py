"""One run of one scenario on one peer: start, warm up, load, read the figures, stop."""
import contextlib
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / "tests"))

from harness.process import (Program, cpu_seconds, free_port, peak_memory, port_open, wait_until,  # noqa: E402
                             written_bytes)

POLL_SECONDS = 0.02
LONGEST_RUN = 180  # Seconds; a peer that stands still for so long has lost events.


@dataclasses.dataclass
class Figures:
    """What a run gave. CPU is the peer's own process; children such as `cat` do not count. Written bytes are all that
    the disk wrote meanwhile."""
    events: int
    seconds: float
    cpu_seconds: float
    written_bytes: int
    peak_bytes: int
    listening_ms: float
    missing: int

    @property
    def rate(self):
        return self.events / self.seconds

    @property
    def per_cpu_second(self):
        return self.events / max(self.cpu_seconds, 1e-9)

    @property
    def written_rate(self):
        return self.written_bytes / self.seconds

    def __str__(self):
        return (f"{self.rate:,.0f} events/s, {self.per_cpu_second:,.0f} a CPU-second, "
                f"{self.peak_bytes / 2**20:.0f} MiB, listening after {self.listening_ms:.0f} ms, {self.missing} missing")


class Rig:
    """A folder and ports of its own for a peer, gone when the with block ends."""

    def __init__(self, scenario, peer, millrace, inputs):
        self.scenario, self.peer, self.millrace, self.inputs = scenario, peer, millrace, inputs
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="millrace-bench-"))
        (self.folder / "out").mkdir()
        self.ports = [free_port() for _ in range(scenario.ports)]
        self.metrics_port = free_port()
        self.go = self.folder / "go"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self):
        events, warm_up = self.scenario.events[self.peer.name], self.scenario.warm_up(self.peer.name)
        with self.started() as program:
            listening_ms = self.wait_listening(program)
            self.offer(warm_up, first=True)
            self.wait_for(self.peer.taken, program, warm_up)
            return self.measure(program, events, warm_up, listening_ms)

    @contextlib.contextmanager
    def started(self, *options):
        os.sync()  # What the run before wrote is not paid by this one.
        command = self.peer.start_command(self.configuration(), self, *options)
        self.begin = time.monotonic()
        with Program(command, self.folder / "log") as program:
            yield program

    def configuration(self):
        values = {"PORT": self.ports[0], "PORTS": " ".join(map(str, self.ports)), "DIR": self.folder,
                  "COMMAND": self.exec_command() if self.scenario.load == "exec" else ""}
        text = self.peer.template(self.scenario)
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        conf = self.folder / "conf"
        conf.write_text(text)
        return conf

    def exec_command(self):
        """cat of the warm-up's files, a wait for the go, cat of the measured part's: the files repeat. Each of several
        sources prints its share."""
        warm_up, events = (self.inputs.files(n // self.scenario.sources, self.scenario.event_bytes)
                           for n in (self.scenario.warm_up(self.peer.name), self.scenario.events[self.peer.name]))
        return f"cat {warm_up}; while [ ! -e {self.go} ]; do sleep 0.01; done; exec cat {events}"

    def wait_listening(self, program):
        port = self.metrics_port if self.scenario.load == "exec" else self.ports[-1]
        if not wait_until(lambda: port_open(port) or not program.alive(), 60, pause=0.001) or not program.alive():
            raise RuntimeError(f"{self.peer.name} does not listen:\n{program.log_text()[-3000:]}")
        return (time.monotonic() - self.begin) * 1000

    def offer(self, events, first=False):
        """Starts to offer events; the process that does, or None where the peer reads them by itself."""
        if self.scenario.load == "exec":
            if not first:
                self.go.touch()
            return None
        command = [str(self.millrace), "hammer", "--ports", ",".join(map(str, self.ports)), "--count",
                   str(events // self.scenario.ports), "--size", str(self.scenario.event_bytes), "--pad", self.scenario.padding,
                   "--connections", str(self.scenario.connections)]
        if self.scenario.rate:
            command += ["--rate", str(self.scenario.rate)]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=open(self.folder / "hammer.log", "w"))

    def wait_for(self, count, program, events):
        """What `count` (a method of the peer) says when it says so many, or when nothing moved for a while; and when
        that was."""
        found, moved, end = 0, time.monotonic(), time.monotonic() + LONGEST_RUN
        while found < events and program.alive() and time.monotonic() < end:
            try:
                now = count(self)
            except OSError:
                now = found  # Metrics are up a moment after the source.
            if now != found:
                found, moved = now, time.monotonic()
            elif time.monotonic() - moved > 15:
                break
            time.sleep(POLL_SECONDS)
        return found, moved

    def measure(self, program, events, warm_up, listening_ms):
        cpu, written, begin = cpu_seconds(program.pid), written_bytes(self.folder), time.monotonic()
        sender = self.offer(events)
        taken, end = self.wait_for(self.peer.taken, program, warm_up + events)
        figures = Figures(taken - warm_up, end - begin, cpu_seconds(program.pid) - cpu,
                          written_bytes(self.folder) - written, peak_memory(program.pid), listening_ms,
                          warm_up + events - taken)
        if sender and sender.wait(60) != 0:
            raise RuntimeError("hammer: " + (self.folder / "hammer.log").read_text())
        program.stop(30)
        return figures


class Inputs:
    """Files of numbered lines that exec scenarios read; kept between runs of the bench."""
    LINES = (1_000_000, 100_000, 10_000)

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def files(self, lines, line_bytes):
        """Names, blank-separated, of files that hold so many lines together."""
        names = []
        for each in self.LINES:
            names += [str(self.make(each, line_bytes))] * (lines // each)
            lines %= each
        if lines:
            raise ValueError("event counts are multiples of 10,000")
        return " ".join(names)

    def make(self, lines, line_bytes):
        path = self.folder / f"{lines}-of-{line_bytes}.txt"
        if not path.exists():
            fresh = path.with_suffix(".new")
            with open(fresh, "w") as out:
                for first in range(0, lines, 10_000):
                    out.write("".join(f"line {n:012d} ".ljust(line_bytes, "x") + "\n" for n in range(first, first + 10_000)))
            fresh.rename(path)
        return path
