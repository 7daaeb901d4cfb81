"""One run of one scenario on one peer: start, warm up, load, read the figures, stop."""
import contextlib
import dataclasses
import os
import pathlib
import shutil
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / "tests"))

from loads import LOADS  # noqa: E402
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

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self):
        with self.started() as program:
            listening_ms = self.wait_listening(program)
            self.load.offer(self, self.warm_up_events, first=True)
            self.wait_for(self.peer.taken, program, self.warm_up_events)
            return self.measure(program, self.events, self.warm_up_events, listening_ms)

    @property
    def load(self):
        return LOADS[self.scenario.load]

    @property
    def events(self):
        return self.scenario.events[self.peer.name]

    @property
    def warm_up_events(self):
        return self.scenario.warm_up(self.peer.name)

    @contextlib.contextmanager
    def started(self, *options):
        os.sync()  # What the run before wrote is not paid by this one.
        command = self.peer.start_command(self.configuration(), self, *options)
        self.begin = time.monotonic()
        with Program(command, self.folder / "log") as program:
            yield program

    def configuration(self):
        values = {"PORT": self.ports[0], "PORTS": " ".join(map(str, self.ports)), "DIR": self.folder, **self.load.values(self)}
        text = self.peer.template(self.scenario)
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        conf = self.folder / "conf"
        conf.write_text(text)
        return conf

    def wait_listening(self, program):
        port = self.load.port(self)
        if not wait_until(lambda: port_open(port) or not program.alive(), 60, pause=0.001) or not program.alive():
            raise RuntimeError(f"{self.peer.name} does not listen:\n{program.log_text()[-3000:]}")
        return (time.monotonic() - self.begin) * 1000

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
        sender = self.load.offer(self, events, first=False)
        taken, end = self.wait_for(self.peer.taken, program, warm_up + events)
        figures = Figures(taken - warm_up, end - begin, cpu_seconds(program.pid) - cpu,
                          written_bytes(self.folder) - written, peak_memory(program.pid), listening_ms,
                          warm_up + events - taken)
        if sender and sender.wait(60) != 0:
            raise RuntimeError("hammer: " + (self.folder / "hammer.log").read_text())
        program.stop(30)
        return figures


class Inputs:
    """Files of numbered lines that peers read; kept between runs of the bench."""
    LINES = (1_000_000, 100_000, 10_000)

    def __init__(self, folder):
        self.home = folder
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

    def folder(self, files, lines, line_bytes):
        """So many files of so many numbered lines each."""
        folder = self.home / f"{files}-times-{lines}-of-{line_bytes}"
        if not folder.exists():
            fresh = folder.with_suffix(".new")
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir()
            for number in range(files):
                write_lines(fresh / f"{number:05d}.log", number * lines, lines, line_bytes)
            fresh.rename(folder)
        return sorted(folder.iterdir())

    def make(self, lines, line_bytes):
        path = self.home / f"{lines}-of-{line_bytes}.txt"
        if not path.exists():
            fresh = path.with_suffix(".new")
            write_lines(fresh, 0, lines, line_bytes)
            fresh.rename(path)
        return path


def write_lines(path, first, lines, line_bytes):
    with open(path, "w") as out:
        for begin in range(first, first + lines, 10_000):
            numbers = range(begin, min(begin + 10_000, first + lines))
            out.write("".join(f"line {n:012d} ".ljust(line_bytes, "x") + "\n" for n in numbers))
