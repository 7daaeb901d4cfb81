"""Children of exec sources, those behind a shell pipe too, end with the agent; none piles up as a zombie.

Seen in https://github.com/fluent/fluent-plugin-multiprocess/issues/15, https://github.com/apache/beam/issues/37930,
https://github.com/splunk/splunk-connect-for-kubernetes/issues/642.
Flume 1.11 does not end within 10 s and leaves both sleeps behind.
"""
import os
import pathlib
import random
import time

from harness.process import wait_until


def sleepers(seconds):
    """Processes that run `sleep` with just this argument."""
    want = f"sleep\0{seconds}\0".encode()
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and (folder / "cmdline").read_bytes() == want:
                found.append(int(folder.name))
        except OSError:
            pass  # It ended while we looked.
    return found


def zombies(parent):
    count = 0
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit():
                state, owner = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
                count += state == "Z" and int(owner) == parent
        except OSError:
            pass
    return count


def run(case):
    case.make("sink")
    direct, behind = (random.SystemRandom().randrange(70_000, 90_000) + half for half in (0.25, 0.75))
    case.names.update(DIRECT=direct, BEHIND_SHELL=behind)
    agent = case.start("agent.conf")
    case.ok("the direct child runs", wait_until(lambda: sleepers(direct), 20))
    case.ok("the child behind the shell runs", wait_until(lambda: sleepers(behind), 20))
    time.sleep(2)  # The third child is started again twenty times meanwhile: that is the load, not a wait.
    case.ok("the agent runs", agent.alive())
    case.ok("at most one zombie at any time", zombies(agent.pid) <= 1)
    case.ok("it ends within 10 s", agent.stop(10))
    case.ok("the direct child is gone", wait_until(lambda: not sleepers(direct), 3))
    case.ok("the child behind the shell is gone", wait_until(lambda: not sleepers(behind), 3))
    for pid in sleepers(direct) + sleepers(behind):
        os.kill(pid, 9)
