"""A batch larger than the channel's transaction capacity is told at start, with both numbers; nothing is written twice.

Seen in https://github.com/abajwa-hw/single-view-demo/pull/7. Flume 1.11: "Incompatible source and channel settings".
"""
import subprocess

from harness.process import wait_until

LINES = ["l1", "l2", "l3"]


def run(case):
    case.make("spool", "sink")
    (case.out / "spool" / "file.log").write_text("".join(line + "\n" for line in LINES))
    agent = case.start("agent.conf")
    case.logs("told at start, with both numbers", agent, r"200.*100|100.*200")
    wait_until(lambda: case.lines("sink"), 2)
    case.ok("not delivered, or once", case.lines("sink") in ([], LINES))
    done = (case.out / "spool" / "file.log.COMPLETED").exists()
    case.equal("marked as done when it was delivered", done, case.lines("sink") == LINES)
    check = subprocess.run([case.millrace, "check", case.out / "agent.conf"], capture_output=True, text=True, check=False)
    case.ok("check names both numbers", "200" in check.stdout + check.stderr and "100" in check.stdout + check.stderr)
    case.equal("check's exit status", check.returncode, 78)
