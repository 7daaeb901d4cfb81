#!/usr/bin/env python3
"""The main job, on real input: examples/demo.conf under ten numbered senders, then the integrity report.

usage: demo.py [--millrace PROGRAM] [--events N] [--keep]
"""
import os
import pathlib
import random
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / "tests"))

from harness.driver import drive, options_of, verify  # noqa: E402  (the path has to be set first)
from harness.process import Program, free_ports, port_open, wait_until  # noqa: E402

FLOWS = 10


def parse():
    parser = options_of(__doc__)
    parser.add_argument("--events", type=int, default=5_000_000, help="in all (default: 5,000,000)")
    return parser.parse_args()


def ten_ports():
    """The first three digits of ten free ports, and the ports: 10001 to 10010 when they are free."""
    digits = iter([100] + random.sample(range(200, 320), 120))
    ports = free_ports(FLOWS, lambda: next(digits) * 100 + 1)
    return ports[0] // 100, ports


def megabytes(folder):
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6


def send(options, folder, conf, env):
    """An agent with ten flows on `conf`, ten senders, and the agent's orderly end: (whether all went well, seconds, CPU
    seconds, peak memory in MiB)."""
    digits, ports = ten_ports()
    begin = time.monotonic()
    command = [options.millrace, "agent", "-n", "agent", "-f", TOP / conf]
    with Program(command, folder / "agent.log", env={"DEMO_PORTS": str(digits), **env}) as agent:
        if not wait_until(lambda: all(map(port_open, ports)) or not agent.alive(), 30) or not agent.alive():
            print(agent.log_text())
            sys.exit("demo: the agent does not listen")
        print(f"The agent listens on ports {ports[0]} to {ports[-1]}, {(time.monotonic() - begin) * 1000:.0f} ms after its start.")
        print(f"Ten senders of numbered 300-byte events, {options.events:,} in all:", flush=True)
        begin = time.monotonic()
        sent = subprocess.run(
            [options.millrace, "hammer", "-N", str(FLOWS), "--ports", ",".join(map(str, ports)), "--size", "300",
             "--count", str(options.events // FLOWS), "--report", folder / "sent.json", "--progress"], check=False)
        print("Stopping the agent: it reads what the sockets hold, empties its channels and syncs its files.", flush=True)
        agent.process.terminate()
        _, status, usage = os.wait4(agent.pid, 0)
        seconds = time.monotonic() - begin
        agent.process.returncode = os.waitstatus_to_exitcode(status)
    well = sent.returncode == 0 and agent.process.returncode == 0
    return well, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def tell(events, way, seconds, cpu, memory):
    print()
    print(f"{events:,} events {way} in {seconds:.1f} s: {events / seconds:,.0f} events/s")
    print(f"CPU {cpu:.1f} s: {events / cpu:,.0f} events per CPU-second; peak memory {memory:.0f} MiB")


def run(options, folder):
    for flow in range(FLOWS):
        (folder / "service" / f"flow{flow}").mkdir(parents=True)
    well, seconds, cpu, memory = send(options, folder, "examples/demo.conf", {"DEMO_DIR": str(folder)})
    print(f"Reading {megabytes(folder / 'service'):,.0f} MB of Avro files back:", flush=True)
    nothing_lost, _ = verify(options, folder / "sent.json", folder / "service")
    tell(options.events, "from socket through disk to file", seconds, cpu, memory)
    return well and nothing_lost


if __name__ == "__main__":
    sys.exit(drive("demo", parse(), run))
