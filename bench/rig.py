"""One run of one scenario on one peer: start, warm up, load, read the figures, stop."""
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

from harness.process import Program, cpu_seconds, free_port, peak_memory, port_open, wait_until  # noqa: E402

POLL_SECONDS = 0.02
LONGEST_RUN = 180  # Seconds; a peer that stands still for so long has lost events.


@dataclasses.dataclass
class Figures:
    """What a run gave. CPU is the peer's own process; children such as `cat` do not count."""
    events: int
    seconds: float
    cpu_seconds: float
    peak_bytes: int
    listening_ms: float
    missing: int

    @property
    def rate(self):
        return self.events / self.seconds

    @property
    def per_cpu_second(self):
        return self.events / max(self.cpu_seconds, 1e-9)


class Rig:
    def __init__(self, scenario, peer, millrace, inputs):
        self.scenario, self.peer, self.millrace, self.inputs = scenario, peer, millrace, inputs
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="millrace-bench-"))
        (self.folder / "out").mkdir()
        self.ports = [free_port() for _ in range(scenario.ports)]
        self.metrics_port = free_port()
        self.go = self.folder / "go"

    def run(self):
        events, warm_up = self.scenario.events[self.peer.name], self.scenario.warm_up(self.peer.name)
        try:
            os.sync()  # What the run before wrote is not paid by this one.
            command = self.peer.start_command(self.render(), self)
            begin = time.monotonic()
            with Program(command, self.folder / "log") as program:
                listening_ms = self.wait_listening(program, begin)
                self.offer(warm_up, first=True)
                self.wait_taken(program, warm_up)
                return self.measure(program, events, warm_up, listening_ms)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def render(self):
        values = {"PORT": self.ports[0], "PORTS": " ".join(map(str, self.ports)), "DIR": self.folder,
                  "COMMAND": self.exec_command() if self.scenario.load == "exec" else ""}
        text = (TOP / "bench/conf" / self.peer.conf_of(self.scenario)).read_text()
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        conf = self.folder / "conf"
        conf.write_text(text)
        return conf

    def exec_command(self):
        """cat of the warm-up's files, a wait for the go, cat of the measured part's: the files repeat."""
        warm_up, events = (self.inputs.files(n) for n in (self.scenario.warm_up(self.peer.name),
                                                          self.scenario.events[self.peer.name]))
        return f"cat {warm_up}; while [ ! -e {self.go} ]; do sleep 0.01; done; exec cat {events}"

    def wait_listening(self, program, begin):
        port = self.metrics_port if self.scenario.load == "exec" else self.ports[-1]
        if not wait_until(lambda: port_open(port) or not program.alive(), 60, pause=0.001) or not program.alive():
            raise RuntimeError(f"{self.peer.name} does not listen:\n{program.log_text()[-3000:]}")
        return (time.monotonic() - begin) * 1000

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

    def wait_taken(self, program, events):
        """How many were taken when all were, or when nothing moved for a while."""
        taken, moved, end = 0, time.monotonic(), time.monotonic() + LONGEST_RUN
        while taken < events and program.alive() and time.monotonic() < end:
            try:
                now = self.peer.taken(self)
            except OSError:
                now = taken  # Metrics are up a moment after the source.
            if now != taken:
                taken, moved = now, time.monotonic()
            elif time.monotonic() - moved > 15:
                break
            time.sleep(POLL_SECONDS)
        return taken, moved

    def measure(self, program, events, warm_up, listening_ms):
        cpu, begin = cpu_seconds(program.pid), time.monotonic()
        sender = self.offer(events)
        taken, end = self.wait_taken(program, warm_up + events)
        figures = Figures(taken - warm_up, end - begin, cpu_seconds(program.pid) - cpu, peak_memory(program.pid),
                          listening_ms, warm_up + events - taken)
        if sender and sender.wait(60) != 0:
            raise RuntimeError("hammer: " + (self.folder / "hammer.log").read_text())
        program.stop(30)
        return figures


class Inputs:
    """Files of numbered 300-byte lines that exec scenarios read; kept between runs of the bench."""
    LINES = (1_000_000, 100_000, 10_000)

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def files(self, events):
        """Names, blank-separated, of files that hold so many lines together."""
        names = []
        for lines in self.LINES:
            names += [str(self.make(lines))] * (events // lines)
            events %= lines
        if events:
            raise ValueError("event counts are multiples of 10,000")
        return " ".join(names)

    def make(self, lines):
        path = self.folder / f"{lines}.txt"
        if not path.exists():
            fresh = path.with_suffix(".new")
            with open(fresh, "w") as out:
                for first in range(0, lines, 10_000):
                    out.write("".join(f"line {n:012d} ".ljust(300, "x") + "\n" for n in range(first, first + 10_000)))
            fresh.rename(path)
        return path
