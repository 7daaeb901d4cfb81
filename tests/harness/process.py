"""A program under test, and how to wait for it. Every wait has a deadline."""
import fcntl
import os
import pathlib
import random
import signal
import socket
import subprocess
import tempfile
import time

_held = []  # Open lock files: a port is ours while this process lives.


def free_port():
    """A loopback port that nobody listens on and no other test of ours was given; below the ephemeral range."""
    return free_ports(1)[0]


def free_ports(count, choose=lambda: random.SystemRandom().randrange(20000, 32000)):
    """As many of these, one behind the other; `choose` proposes the first."""
    while True:
        first = choose()
        locks = [_claim(port) for port in range(first, first + count)]
        if all(locks):
            _held.extend(locks)
            return list(range(first, first + count))
        for lock in filter(None, locks):
            lock.close()


def _claim(port):
    """The open lock file of a free port, else None."""
    lock = open(pathlib.Path(tempfile.gettempdir()) / f"millrace-port-{port}", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        return None
    if port_open(port):
        lock.close()
        return None
    return lock


def port_open(port):
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition, seconds, pause=0.02):
    """True once condition() is, False after that many seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


class Program:
    """A child process whose output goes to a log file. It is killed when the with block ends."""

    def __init__(self, command, log, env=None, preexec=None, folder=None):
        self.log = pathlib.Path(log)
        with open(self.log, "ab") as out:
            self.process = subprocess.Popen(
                [str(word) for word in command], stdout=out, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})}, preexec_fn=preexec, cwd=folder)
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def alive(self):
        return self.process.poll() is None

    def stop(self, seconds=40):
        """Asks for an orderly end; True when it came in time, else the process is killed."""
        if self.alive():
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            self.kill()
            return False

    def kill(self):
        if self.alive():
            self.process.kill()
        self.process.wait()

    def wait_port(self, port, seconds=20):
        """True once the port is open; at once False when the process has ended."""
        wait_until(lambda: port_open(port) or not self.alive(), seconds)
        return port_open(port)

    def log_text(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""


def cpu_seconds(pid):
    """User and system time of the process itself, without its children."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_memory(pid):
    """VmHWM in bytes: the most resident memory that the process ever had."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def written_bytes(folder):
    """What the disk of a folder has written since the machine started, by whomever. /proc/PID/io says more than that:
    with large folios it counts pages that were not written."""
    device = os.stat(folder).st_dev
    counts = pathlib.Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/stat").read_text().split()
    return int(counts[6]) * 512  # Sectors.
