"""`kill -3` makes a JVM print what its threads do and go on: operators of Flume use it on a live agent.

Here it logs how each part is.
"""
import os
import signal


def run(case):
    agent = case.start("agent.conf")
    case.listens("listens", agent, case.port("NETCAT_PORT"))
    os.kill(agent.pid, signal.SIGQUIT)
    case.logs("every part is told", agent, r"agent\] channel c1: ok\n.*sink k1: ok\n.*source r1: ok")
    case.equal("it goes on", case.send(case.port("NETCAT_PORT"), b"one\n", replies=1), b"OK\n")
