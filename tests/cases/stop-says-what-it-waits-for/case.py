"""A stop that takes long says which part it waits for and why, so that nobody has to guess before he kills it."""
import os
import signal

from harness.process import wait_until


def run(case):
    agent = case.start("agent.conf", "--drain-time", "60")
    case.listens("listens", agent, case.port("IN_PORT"))
    case.equal("acknowledged", case.send(case.port("IN_PORT"), b"one\ntwo\nthree\n", replies=3), b"OK\n" * 3)
    os.kill(agent.pid, signal.SIGTERM)
    case.logs("what it waits for is told", agent,
              r"sink k1\] is still stopping, with 5\d s left: channel c1 holds 3 events; .*not-there")
    case.make("not-there")
    case.ok("ends when that has come", wait_until(lambda: not agent.alive(), 20))
    case.equal("delivered", sorted(case.lines("not-there")), ["one", "three", "two"])
    case.logs("it stopped in order", agent, "a1 has stopped")
