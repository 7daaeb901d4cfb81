"""A stop by SIGHUP, as when a terminal goes away, is an orderly one too, and says how many events each channel
still held: those of the memory channel are lost, those of the file channel are there at the next start.

A JVM stops in order at SIGHUP as well, and so does Flume.
"""
import os
import signal

from harness.process import wait_until


def run(case):
    agent = case.start("agent.conf", "--drain-time", "1")
    for name in ("MEMORY_PORT", "FILE_PORT"):
        case.listens("listens", agent, case.port(name))
        case.equal("acknowledged", case.send(case.port(name), b"one\ntwo\nthree\n", replies=3), b"OK\n" * 3)
    os.kill(agent.pid, signal.SIGHUP)
    case.ok("ends", wait_until(lambda: not agent.alive(), 20))
    case.logs("the memory channel's loss is told", agent, r"channel c1\] 3 events are lost")
    case.logs("so is what the file channel keeps", agent, r"channel c2\] 3 events are left in it")
    case.logs("it stopped in order", agent, "a1 has stopped")
